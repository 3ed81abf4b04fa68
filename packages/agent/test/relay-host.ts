/**
 * A host that runs a relay, and a node, each in a network namespace:
 *
 *   node 203.0.113.20 ── 203.0.113.9 relay host, also 10.9.0.1 (its LAN) and 100.64.0.9 (the mesh)
 *                        198.51.100.9 is passed on to 10.9.0.1, as a cloud does it
 *   node fd99::20     ── fd99::9
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RelayAccess, RelayServerSection } from '@meshwork/contract';
import { cable, type Namespace, namespace } from './namespaces.ts';
import type { RelayCalls } from './relay-child.ts';

export const RELAY_ADDRESS = '203.0.113.9';
export const NODE_ADDRESS = '203.0.113.20';
export const RELAY_ADDRESS_6 = 'fd99::9';
export const OUTSIDE_ADDRESS = '198.51.100.9';
const CHILD = join(import.meta.dirname, 'relay-child.ts');

/** What is called in the other process. */
export class RelaySide {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(space: Namespace, ...folders: readonly string[]) {
    this.child = space.spawn(process.execPath, [CHILD, ...folders]);
    this.#lines = createInterface({ input: this.child.stdout ?? assert.fail() })[Symbol.asyncIterator]();
  }

  async call<C extends keyof RelayCalls>(
    call: C,
    ...args: Parameters<RelayCalls[C]>
  ): Promise<Awaited<ReturnType<RelayCalls[C]>>> {
    this.child.stdin?.write(`${JSON.stringify({ call, args })}\n`);
    const { value, done } = await this.#lines.next();
    assert.ok(done !== true, 'the process ended');
    const { result, error } = JSON.parse(value) as { result: Awaited<ReturnType<RelayCalls[C]>>; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  }

  /** As if the machine had taken it away. */
  async kill(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}

export interface RelayHost extends AsyncDisposable {
  readonly relay: Namespace;
  readonly node: Namespace;
  /** The agent's state, in which the engines have a folder, and the certificate of the node is. */
  readonly state: string;
  /** Shared with coturn. */
  readonly relay_folder: string;
  /** An agent: the next one after the last. */
  agent(): RelaySide;
  client(): RelaySide;
}

export async function relayHost(): Promise<RelayHost> {
  const stack = new AsyncDisposableStack();
  try {
    const relay = stack.use(await namespace('relay'));
    const node = stack.use(await namespace('node'));
    const folder = await mkdtemp(join(tmpdir(), 'mesh-relay-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o711); // coturn has to get to its own
    const [state, relay_folder] = [join(folder, 'state'), join(folder, 'relay')];
    await mkdir(join(state, 'run'), { recursive: true, mode: 0o700 });
    await cable(relay, node, [`${RELAY_ADDRESS}/24`, `${NODE_ADDRESS}/24`]);
    await cable(relay, node, [`${RELAY_ADDRESS_6}/64`, 'fd99::20/64']);
    await relay.ip(
      'addr add 10.9.0.1/24 dev lo',
      'addr add 100.64.0.9/32 dev lo',
      `route add default via ${NODE_ADDRESS} src 10.9.0.1`,
    );
    await node.ip(`route add ${OUTSIDE_ADDRESS} via ${RELAY_ADDRESS}`, `route add 10.9.0.0/24 via ${RELAY_ADDRESS}`);
    const chain = 'type nat hook prerouting priority -100\n ip daddr 198.51.100.9 dnat to 10.9.0.1';
    const input = `table ip cloud {\n chain in {\n ${chain}\n }\n}\n`;
    await relay.run('nft', ['-f', '-'], { input });
    const kept = stack.move();
    return {
      relay,
      node,
      state,
      relay_folder,
      agent: () => new RelaySide(relay, join(state, 'run'), relay_folder),
      client: () => new RelaySide(node),
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

export function serverSection(more: Partial<RelayServerSection> = {}): RelayServerSection {
  return {
    name: 'fra-1',
    host: RELAY_ADDRESS,
    realm: 'mesh',
    port: 3478,
    stun_ports: { first: 65_528, last: 65_529 },
    tls: null,
    secrets: ['first-secret'],
    peers: [RELAY_ADDRESS],
    allocations: 20,
    allocations_a_node: 2,
    ...more,
  };
}

interface AccessOptions {
  readonly secret?: string;
  readonly node?: string;
  /** Good for so long. */
  readonly for_s?: number;
  readonly relay?: Partial<RelayAccess['relay']>;
}

let minted = 0;

/** As the coordinator mints it, for another node each time. */
export function access({
  secret = 'first-secret',
  node = `node_${++minted}`,
  for_s = 600,
  relay,
}: AccessOptions = {}): RelayAccess {
  const ends_s = Math.floor(Date.now() / 1000) + for_s;
  const username = `${ends_s}:${node}`;
  return {
    relay: { name: 'fra-1', host: RELAY_ADDRESS, port: 3478, ...relay },
    username,
    password: createHmac('sha1', secret).update(username).digest('base64'),
    expires_at: new Date(ends_s * 1000).toISOString(),
  };
}
