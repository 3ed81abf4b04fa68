import type { ProbeReport, ProbeResult } from '@meshwork/contract';

interface Ends {
  readonly source: string;
  /** The destination, or the node that forwards there. */
  readonly far: string;
  readonly address: string;
  /** Whether the far end only forwards there. */
  readonly behind: boolean;
  readonly path: NonNullable<ProbeReport['arrival']>['path'];
}

type Conclusion = Pick<ProbeReport, 'reality' | 'reason' | 'attempt' | 'arrival'>;
type Arrival = ProbeReport['arrival'];

/** What an attempt shows, by what came back and by what the far end saw. `undefined`: that end did not answer. */
export function conclude(ends: Ends, tried: ProbeResult | undefined, watched: ProbeResult | undefined): Conclusion {
  const arrival = arrivalOf(ends, watched);
  const { source, far, address } = ends;
  if (tried?.attempt === undefined) {
    const why = tried?.error ?? `${source} did not answer in time`;
    return { reality: 'unknown', reason: `No attempt was made: ${bare(why)}.`, attempt: null, arrival };
  }
  const { outcome, took_ms, detail = null } = tried.attempt;
  const attempt = { node: source, address, outcome, took_ms, detail };
  const known = (reality: ProbeReport['reality'], reason: string) => ({ reality, reason, attempt, arrival });
  switch (outcome) {
    case 'connected':
      return known('passed', `${source} connected to ${address} in ${took_ms} ms.`);
    case 'answered':
      return known('passed', `${address} answered ${source} in ${took_ms} ms.`);
    case 'refused':
      return known('passed', `The packets of ${source} arrived, and nothing listens there: ${address} refused.`);
    case 'unreachable':
      return known('blocked', `${source} has no way to ${address}${detail === null ? '' : `: ${bare(detail)}`}.`);
    case 'timed_out':
    case 'sent':
      return { attempt, arrival, ...withoutAnswer(ends, outcome, arrival, `${source} got no answer from ${far}`) };
  }
}

/** Nothing came back: what the far end saw says where it ended. */
function withoutAnswer(
  { source, far, address, behind }: Ends,
  outcome: 'timed_out' | 'sent',
  arrival: Arrival,
  silence: string,
): Pick<Conclusion, 'reality' | 'reason'> {
  if (arrival === null) {
    const reason = `${silence}, which did not say what arrived there.`;
    return { reality: outcome === 'timed_out' && !behind ? 'blocked' : 'unknown', reason };
  }
  if (arrival.arrived === 0) return { reality: 'blocked', reason: `Nothing of ${source} arrived at ${far}.` };
  if (arrival.passed === 0) {
    const rule = arrival.rule === null ? '' : `: ${arrival.rule}`;
    return { reality: 'blocked', reason: `The packet of ${source} arrived at ${far}, and was dropped there${rule}.` };
  }
  if (outcome === 'sent') return { reality: 'passed', reason: `The packet of ${source} arrived and passed on ${far}.` };
  const reason = `The packet of ${source} passed on ${far}, and no answer came back from ${address}.`;
  // What is behind a node may not be there at all.
  return { reality: behind ? 'unknown' : 'blocked', reason };
}

function arrivalOf({ far, path }: Ends, watched: ProbeResult | undefined): Arrival {
  const seen = watched?.watch;
  if (seen?.state !== 'ended') return null;
  const { arrived, passed, interface: by = null, verdict: rule = null } = seen;
  return { node: far, arrived, passed, path, interface: by, rule };
}

function bare(text: string): string {
  return text.trim().replace(/\.$/, '');
}
