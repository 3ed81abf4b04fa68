import type { ForeignRule, Probe, ProbeResult } from '@meshwork/contract';
import { MAX_LOOKED_AT } from '@meshwork/contract/vocabulary';
import type { HeardPeer } from '../engines/engine.ts';
import type { RunCommand } from '../host/run-command.ts';
import { ruleCounts } from './rule-counts.ts';

/** What a look needs of the data plane. */
export interface LookedAt {
  /** Exchanges packets with these peers. Answers for each of them. */
  hear(peers: readonly string[], within_ms: number): Promise<readonly HeardPeer[]>;
  /** How a section may not be in effect right now, in words. Undefined: it is as it was applied. */
  doubt(section: 'firewall'): string | undefined;
  /** Rules of other programs that may concern packets of the mesh. */
  readonly foreign: readonly ForeignRule[];
}

/** The contract's limit on the words about the filter. */
const MAX_WORDS = 500;

interface LookOptions {
  readonly plane: LookedAt;
  readonly run: RunCommand;
  /** What is in effect of the sections that nothing is being changed about. */
  readonly settled: () => NonNullable<Looked['applied']>;
}

type Look = NonNullable<Probe['look']>;
type Looked = NonNullable<ProbeResult['look']>;

/** Says how links, the packet filter and the counters of rules are right now. */
export async function look({ peers, rules, within_ms }: Look, { plane, run, settled }: LookOptions): Promise<Looked> {
  const [links, counts] = await Promise.all([
    plane.hear(peers.slice(0, MAX_LOOKED_AT), within_ms),
    ruleCounts(new Set(rules.slice(0, MAX_LOOKED_AT)), run),
  ]);
  const doubt = plane.doubt('firewall'); // last: what went wrong meanwhile counts
  const filter = doubt === undefined ? {} : { filter: doubt.slice(0, MAX_WORDS) };
  return { links: [...links], ...filter, applied: settled(), foreign: [...plane.foreign], rules: counts };
}
