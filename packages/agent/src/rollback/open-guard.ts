import type { AppliedSection } from '@meshwork/contract';
import type { SleepingClock } from '@meshwork/time';
import type { AgentLog } from '../host/log.ts';
import { reachesCoordinator } from './coordinator-probe.ts';
import type { GuardedPart } from './guarded-part.ts';
import { type RollbackEvent, RollbackGuard } from './rollback-guard.ts';
import type { RollbackState } from './rollback-state.ts';

/** Ours: a connection opens within this time, or the way is not one. */
const PROBE_MS = 5000;

/** What an agent keeps between its starts. */
export interface RollbackStore {
  readonly loaded: RollbackState | undefined;
  save(state: RollbackState): void;
}

interface Options {
  /** 0: nothing is ever rolled back. */
  readonly after_s: number;
  readonly clock: SleepingClock;
  readonly parts: readonly GuardedPart[];
  readonly store: RollbackStore;
  readonly restored: boolean;
  readonly coordinators: readonly string[];
  /** Addresses of the coordinators when a heartbeat was last answered. */
  readonly known: () => readonly string[];
  readonly reapply: (sections: readonly AppliedSection[]) => void;
  readonly tried: () => void;
  readonly returned: () => void;
  readonly log: AgentLog;
  readonly counted: (event: RollbackEvent) => void;
}

/** The guard of a host. Undefined: it is switched off. */
export function openGuard(options: Options): RollbackGuard | undefined {
  const { after_s, clock, parts, store, restored, coordinators, known, reapply, tried, returned } = options;
  if (after_s === 0) return undefined;
  const timeout_ms = Math.min(PROBE_MS, after_s * 1000);
  return new RollbackGuard({
    after_s,
    clock,
    parts,
    state: store.loaded,
    restored,
    reachable: () => reachesCoordinator({ urls: coordinators, known: known(), timeout_ms }),
    save: (state) => store.save(state),
    reapply,
    tried,
    returned,
    note: (event) => {
      options.counted(event);
      say(options.log, event, after_s);
    },
  });
}

function say(log: AgentLog, { kind, parts }: RollbackEvent, after_s: number): void {
  const facts = { parts: parts.join(', '), rollback_after_s: after_s };
  log[LEVELS[kind]](WORDS[kind], facts);
}

const LEVELS = { kept: 'info', rolled_back: 'warn', innocent: 'warn', refused: 'error', proven: 'debug' } as const;
const WORDS: Readonly<Record<RollbackEvent['kind'], string>> = {
  kept: 'no heartbeat was answered after a change, but a coordinator can be reached: nothing is rolled back',
  rolled_back: 'no heartbeat was answered after a change: rolled back to what worked before',
  innocent: 'the rollback made no difference: the change is applied again',
  refused: 'a change cut this node off from its coordinator: it is not applied until it changes',
  proven: 'a heartbeat was answered under the new configuration',
};
