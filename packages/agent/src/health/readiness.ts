import { type LinkPath, utc } from '@meshwork/contract/vocabulary';
import type { HealthSnapshot } from './health-source.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly node: string;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly checks: readonly Check[];
  /** How many of its peers are reached, and how. */
  readonly peers: Readonly<Record<LinkPath, number>>;
  readonly last_heartbeat: string | null;
}

/** A check that may fail while traffic goes on: the rest decides whether the node is ready. */
const COORDINATOR = 'coordinator';

/**
 * A node is ready when it carries traffic as the coordinator last said. A coordinator that is away does not change that: the
 * node keeps the last view, and says so. A node that was removed or replaced is not ready.
 */
export function readinessOf(seen: HealthSnapshot): Readiness {
  const checks = [conversation(seen), inEffect(seen), { name: 'engine', ...seen.engine }];
  const ready = seen.status.state !== 'ended' && checks.every(({ name, ok }) => ok || name === COORDINATOR);
  const { node, name, addresses } = seen;
  return {
    ready,
    node,
    name,
    addresses,
    checks,
    peers: countByPath(seen.links),
    last_heartbeat: when(seen.answered_ms),
  };
}

function conversation({ status, status_since_ms, revision }: HealthSnapshot): Check {
  const name = COORDINATOR;
  const kept = revision === 0 ? 'it holds nothing yet' : `it keeps the configuration of revision ${revision}`;
  switch (status.state) {
    case 'connected':
      return { name, ok: true, detail: `heartbeats are answered, revision ${revision}` };
    case 'starting':
      return { name, ok: false, detail: `the first heartbeat is on its way; ${kept}` };
    case 'retrying': {
      const { problem, detail } = status;
      return { name, ok: false, detail: `away since ${utc(status_since_ms)} (${problem}: ${detail}); ${kept}` };
    }
    case 'ended':
      return { name, ok: false, detail: `${status.reason}: ${status.detail}` };
  }
}

function inEffect({ sections }: HealthSnapshot): Check {
  const name = 'sections';
  if (sections.size === 0) return { name, ok: false, detail: 'nothing is in effect yet' };
  const wrong = [...sections].filter(([, { error }]) => error !== undefined);
  if (wrong.length > 0)
    return { name, ok: false, detail: wrong.map(([section, { error }]) => `${section}: ${error}`).join('; ') };
  const behind = [...sections].filter(([, { wanted, in_effect }]) => wanted !== in_effect).map(([section]) => section);
  if (behind.includes('self'))
    return { name, ok: false, detail: 'what the node itself should be is not in effect yet' };
  // What is being applied right now is no fault: the node carries what it had before.
  const detail = behind.length === 0 ? 'all in effect' : `being applied: ${behind.join(', ')}`;
  return { name, ok: true, detail };
}

export function countByPath(links: HealthSnapshot['links']): Record<LinkPath, number> {
  const counts = { direct: 0, relay: 0, idle: 0, none: 0 };
  for (const { path } of links) counts[path] += 1;
  return counts;
}

function when(ms: number | null): string | null {
  return ms === null ? null : utc(ms);
}
