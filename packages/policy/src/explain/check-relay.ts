import { relayName, withoutWay } from './check-link.ts';
import { milliseconds } from './check-path.ts';
import type { LinkReport, RelayFacts } from './facts.ts';
import { type End, type Finding, starting, type Way } from './way.ts';
import { capital } from './wording.ts';

/**
 * The relays of both ends: how each reaches its own, and whether they carry. What follows for packets is for `link` to say: this fails only
 * with it, for its reason, and has no fix of its own. Undefined: no relay is involved.
 */
export function checkRelay(way: Way, link: Finding | undefined): Finding | undefined {
  const { source, target } = way;
  const { near, far, near_relay, far_relay, near_used, far_used } = way.link;
  const reports = [near, far].filter((report) => report !== null);
  if (target === undefined || link === undefined || reports.every(({ path }) => path === 'direct')) return undefined;
  const ends: readonly Use[] = [
    { end: source, report: near, assigned: near_relay, used: near_used ?? near_relay },
    { end: target, report: far, assigned: far_relay, used: far_used ?? far_relay },
  ];
  const isRelayed = reports.some(({ path }) => path === 'relay');
  const isAlone = link.outcome === 'unknown' && withoutWay(way) !== undefined;
  if (!isRelayed && !isAlone && ends.every(({ used }) => used === null)) return undefined;
  const detail = ends.map((use) => starting(way, useWords(use))).join(' ');
  const outcome = outcomeOf(ends, link, isAlone);
  const isOpen = outcome === 'fail' || outcome === 'unknown';
  return { check: 'relay', outcome, detail, clause: isOpen ? link.clause : '', fix: [] };
}

interface Use {
  readonly end: End;
  readonly report: LinkReport | null;
  readonly assigned: RelayFacts | null;
  readonly used: RelayFacts | null;
}

function outcomeOf(ends: readonly Use[], { outcome }: Finding, isAlone: boolean): Finding['outcome'] {
  if (outcome === 'fail') return 'fail'; // a link fails for want of a relay only
  // The other end sends to it.
  const isMissed = (place: number) => ends[1 - place]?.report?.path === 'relay';
  const isLacking = ends.some(({ used }, place) => (used === null ? isMissed(place) : !used.healthy));
  if (isAlone) return 'unknown';
  if (isLacking) return outcome === 'unknown' ? 'unknown' : 'note';
  return ends.some(({ used }) => used?.draining) ? 'note' : 'pass';
}

function useWords({ end, report, assigned, used }: Use): string {
  if (used === null) return `${end.name} has no relay.`;
  const shown = end.hidden ? [] : [transportWords(report), used.rtt_ms === undefined ? '' : milliseconds(used.rtt_ms)];
  const how = shown.filter((words) => words !== '').join(', ');
  const state = `${used.healthy ? 'up' : 'down'}${used.draining ? ' and draining' : ''}`;
  const uses = `${end.name} uses ${relayName(used)}${how === '' ? '' : ` (${how})`}, which is ${state}.`;
  if (assigned === null || assigned === used) return uses;
  const words = `${relayName(assigned)} is assigned to it, and ${assigned.healthy ? 'up' : 'down'}`;
  return `${uses} ${capital(words)}.`;
}

function transportWords(report: LinkReport | null): string {
  return report?.transport === undefined ? '' : `over ${report.transport.toUpperCase()}`;
}
