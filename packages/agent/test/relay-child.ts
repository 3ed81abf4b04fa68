/**
 * One side of a relay in a process of its own, to be run in a network namespace: the engine that runs it, or a node that sends
 * through it. Does what standard input says, a call a line, and answers each with a line.
 */
import { createInterface } from 'node:readline';
import type { RelayAccess, RelayLoad, RelayServerSection } from '@meshwork/contract';
import { openRelay } from '../src/engines/relay/engine.ts';
import type { RelayEngine } from '../src/engines/relay/relay-engine.ts';
import { openLog } from '../src/host/log.ts';
import { proveRelay } from '../src/relays/prove-relay.ts';
import { NO_GUARD } from '../src/rollback/guarded-part.ts';
import type { Place } from '../src/stun/xor-address.ts';
import { Allocation } from '../src/turn/allocation.ts';
import { openUdp } from '../src/turn/udp-transport.ts';
import { HeldView } from '../src/view/held-view.ts';

export interface RelayCalls {
  /** Of the engine. `null`: the node runs none. */
  apply(section: RelayServerSection | null): Promise<null>;
  drift(): Promise<string | null>;
  /** What it carries, after a look. */
  load(): Promise<RelayLoad | null>;
  /** What it was reported to have lost, so far. */
  lost(): Promise<readonly string[]>;
  /** Of a node. */
  prove(access: RelayAccess, roots: readonly string[]): Promise<{ via: string }>;
  /** Makes an allocation and keeps it. */
  hold(access: RelayAccess): Promise<Place>;
  permit(addresses: readonly string[]): Promise<null>;
  /** Sends through what it holds, and answers with what came back, if anything did. */
  send(to: Place, text: string, encoding?: BufferEncoding): Promise<string | null>;
  /** Has a channel to that place. */
  bind(to: Place): Promise<null>;
  /** Keeps what it holds, and answers with for how many seconds. */
  refresh(): Promise<number>;
  release(): Promise<null>;
}

const BACK_WITHIN_MS = 1500;
const [, , folder = '', relay_folder = ''] = process.argv;
const lost: string[] = [];
let engine: RelayEngine | undefined;
let held: Allocation | undefined;
let arrived: (text: string) => void = () => undefined;

async function opened(): Promise<RelayEngine> {
  engine ??= await openRelay({
    folder,
    relay: { folder: relay_folder, certificate: undefined, key: undefined },
    log: openLog({ log_level: 'silent', log_format: 'text' }, { write: () => undefined }),
    now: () => Date.now(),
    lost: (_, found) => void lost.push(found),
  });
  return engine;
}

function holding(): Allocation {
  if (held === undefined) throw new Error('nothing is held');
  return held;
}

const CALLS: RelayCalls = {
  async apply(section) {
    const view = new HeldView();
    view.take({ revision: 1, next_s: 1, relay_server: section });
    const input = { view, guard: NO_GUARD, kept_out: [] };
    await (await opened()).plan('relay_server', input)?.();
    return null;
  },
  drift: async () => (await opened()).drift(),
  async load() {
    const relay = await opened();
    await relay.look();
    return relay.observe('everything').relay_load ?? null;
  },
  lost: async () => lost,
  async prove(access, roots) {
    const { via } = await proveRelay({ access, roots, signal: new AbortController().signal });
    return { via };
  },
  async hold({ relay, username, password }) {
    const transport = await openUdp({ address: relay.host, port: relay.port });
    held = await Allocation.make(
      transport,
      { username, password },
      { received: (_, data) => arrived(data.toString()), lost: () => undefined },
    );
    return held.relayed;
  },
  async permit(addresses) {
    await holding().permit(addresses);
    return null;
  },
  async bind(to) {
    await holding().bind(0x4000, to);
    return null;
  },
  async send(to, text, encoding = 'utf8') {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    arrived = resolve;
    holding().send(to, Buffer.from(text, encoding));
    const late = setTimeout(() => resolve(null), BACK_WITHIN_MS);
    return await promise.finally(() => clearTimeout(late));
  },
  async refresh() {
    await holding().refresh();
    return holding().lifetime_s;
  },
  async release() {
    await holding().release();
    return null;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { call, args } = JSON.parse(line) as { call: keyof RelayCalls; args: unknown[] };
  const method = CALLS[call] as (...given: unknown[]) => Promise<unknown>;
  const answer = await method(...args).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
