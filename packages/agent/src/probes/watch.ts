import { setTimeout as pause } from 'node:timers/promises';
import type { ProbeFlow, ProbeResult } from '@meshwork/contract';
import type { RunCommand } from '../host/run-command.ts';
import { interfaceOf, type TraceLine, verdictText } from './trace.ts';
import { openTrace } from './trace-monitor.ts';
import { deleteWatchTable, newWatchTable, readCounts, watchTable } from './watch-table.ts';

/** Ours: how long to wait for the rest after a packet was decided about. The counters are ahead of the lines. */
const AFTER_MS = 20;
/** Ours: no watch has to follow more of them. */
const MAX_PACKETS = 1000;
/** The contract's limit on the words about a rule. */
const MAX_WORDS = 500;

type Watched = NonNullable<ProbeResult['watch']>;

interface WatchOptions {
  readonly run: RunCommand;
  readonly signal: AbortSignal;
  readonly seen: (watched: Watched) => void;
}

/** Watches for packets of a flow, and says what became of them: once when it has begun, and once at its end. */
export async function watch(
  { flow, for_ms }: { readonly flow: ProbeFlow; readonly for_ms: number },
  { run, signal, seen }: WatchOptions,
): Promise<void> {
  const table = newWatchTable();
  const text = watchTable(table, flow);
  const follower = new Follower(`inet ${table}`);
  await using made = new AsyncDisposableStack();
  made.defer(() => deleteWatchTable(table, run)); // also when loading it was cut short
  await run('nft', ['-f', '-'], { input: text });
  // After the table: `nft` reads once what there is, in order to name it.
  made.use(await openTrace({ line: (line) => follower.take(line), signal }));
  seen({ state: 'begun', arrived: 0, passed: 0 });
  await ended(for_ms, follower.decided, signal);
  if (signal.aborted) return;
  if (follower.isDecided) await pause(AFTER_MS);
  const counts = await readCounts(table, run);
  seen({ state: 'ended', ...counts, ...follower.found() });
}

async function ended(for_ms: number, decided: Promise<void>, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const time = pause(for_ms, undefined, { signal: AbortSignal.any([signal, done.signal]) }).catch(() => undefined);
  await Promise.race([time, decided]);
  done.abort();
}

/** Follows the packets that one table marks through all the others. */
class Follower {
  readonly decided: Promise<void>;
  isDecided = false;
  readonly #decide: () => void;
  /** `inet mesh_probe_…` */
  readonly #table: string;
  readonly #packets = new Set<string>();
  /** By which each packet came, of those that came to the table. */
  readonly #interfaces = new Map<string, string>();
  #interface: string | undefined;
  #last: TraceLine | undefined;

  constructor(table: string) {
    this.#table = table;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.decided = promise;
    this.#decide = resolve;
  }

  take(line: TraceLine): void {
    const isOurs = line.table === this.#table;
    const by = interfaceOf(line);
    if (isOurs && by !== undefined && this.#interfaces.size < MAX_PACKETS) this.#interfaces.set(line.id, by);
    if (isOurs && line.kind === 'rule' && this.#packets.size < MAX_PACKETS) {
      this.#packets.add(line.id); // only now is it one of the flow: the table sees all that others follow, too
      this.#interface ??= this.#interfaces.get(line.id);
    }
    if (!this.#packets.has(line.id)) return;
    if (!isOurs && line.decided !== undefined) this.#last = line;
    const isThrough = isOurs && line.chain !== 'prerouting' && line.kind === 'rule';
    if (line.decided !== 'drop' && !isThrough) return;
    this.isDecided = true;
    this.#decide();
  }

  found(): Pick<Watched, 'interface' | 'verdict'> {
    return {
      ...(this.#interface === undefined ? {} : { interface: this.#interface }),
      ...(this.#last === undefined ? {} : { verdict: verdictText(this.#last).slice(0, MAX_WORDS) }),
    };
  }
}
