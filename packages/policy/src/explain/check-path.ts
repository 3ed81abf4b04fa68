import type { LinkReport, TriedFacts } from './facts.ts';
import type { End, Finding, Way } from './way.ts';
import { listed } from './wording.ts';

/**
 * How packets go between the two, and what became of each endpoint that an end tried. Whether they arrive is for `link` to say, and this
 * never says otherwise: it has its reason, and no fix of its own. Undefined: no end has reported, or they are no peers.
 */
export function checkPath(way: Way, link: Finding | undefined): Finding | undefined {
  const { source, target } = way;
  const { near, far } = way.link;
  const reports = [near, far].filter((report) => report !== null);
  if (target === undefined || link === undefined || reports.length === 0) return undefined;
  // Where a hidden node is, and what it tried, is not shown.
  const isHidden = source.hidden || target.hidden;
  const ends: readonly Seen[] = isHidden
    ? []
    : [
        { end: source, other: target, report: near },
        { end: target, other: source, report: far },
      ];
  const detail = [...waysOf(way, reports, ends), ...ends.flatMap(triedBy)].join(' ');
  const isNone = reports.every(({ path }) => path === 'none');
  const outcome = isNone ? link.outcome : 'pass';
  return { check: 'path', outcome, detail, clause: outcome === 'pass' ? '' : link.clause, fix: [] };
}

interface Seen {
  readonly end: End;
  readonly other: End;
  readonly report: LinkReport | null;
}

function waysOf({ link }: Way, reports: readonly LinkReport[], ends: readonly Seen[]): readonly string[] {
  const has = (path: LinkReport['path']) => reports.some((report) => report.path === path);
  if (!has('direct') && !has('relay')) {
    return [has('idle') ? 'The link is not in use.' : 'No packet has come through by any path.'];
  }
  const relayed = (ends.length === 0 ? undefined : link.why_relayed) ?? 'Through relays.';
  return [...(has('relay') ? [relayed] : []), ...(has('direct') ? [directWords(ends)] : [])];
}

function directWords(ends: readonly Seen[]): string {
  const sent = ends.flatMap(({ end, report }) => {
    if (report?.path !== 'direct' || report.endpoint === null) return [];
    const trip = report.rtt_ms === undefined ? '' : ` (${milliseconds(report.rtt_ms)})`;
    return [`${end.name} sends to ${report.endpoint}${trip}`];
  });
  return sent.length === 0 ? 'Directly.' : `Directly: ${listed(sent)}.`;
}

function triedBy({ end, other, report }: Seen): readonly string[] {
  const tried = report?.tried ?? [];
  if (tried.length === 0) return [];
  return [`Of ${other.name}, ${end.name} tried ${listed(tried.map(triedWords))}.`];
}

function triedWords({ endpoint, outcome, rtt_ms }: TriedFacts): string {
  switch (outcome) {
    case 'answered':
      return `${endpoint} (answered${rtt_ms === undefined ? '' : ` in ${milliseconds(rtt_ms)}`})`;
    case 'silent':
      return `${endpoint} (no answer)`;
    case 'unreachable':
      return `${endpoint} (no route)`;
  }
}

export function milliseconds(ms: number): string {
  return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
}
