import type { Link } from '@meshwork/contract';
import { outsideName } from '../../src/namespaces/plan/fixed.ts';
import { Scene } from '../lab-scene.ts';
import { mayRunRelay } from '../relay-node.ts';
import { until } from '../until.ts';
import { type BareSocket, BareSockets } from './bare-sockets.ts';
import { EVERY_SITE, NODE_IN_EVERY_SITE } from './every-site.ts';
import { newText } from './measure-nat.ts';

const ALL = { groups: { all: ['*'] }, grants: [{ from: 'all', to: 'all', allow: ['*'] }] };
/** Those outside of all sites. Each is a relay. */
const PUBLIC = ['pub-1', 'pub-2'] as const;
/** Where each node receives what the others send through the mesh. */
const PORT = 7009;
const AGAIN_MS = 250;

interface Passage {
  readonly passed: boolean;
  /** From the first datagram until one arrived, or until it was given up. */
  readonly ms: number;
}

/**
 * A mesh with one node in a site of each kind, two public ones that run relays, and a policy that allows everything: the
 * scene for what has to hold between any two kinds. `names` are its nodes, in the order of `EVERY_SITE`.
 */
export class MeshOfSites implements AsyncDisposable {
  readonly scene: Scene;
  readonly names: readonly string[] = NODE_IN_EVERY_SITE.map(({ name }) => name);
  readonly #stack: AsyncDisposableStack;
  readonly #ends: ReadonlyMap<string, { readonly socket: BareSocket; readonly address: string }>;

  private constructor(
    scene: Scene,
    stack: AsyncDisposableStack,
    ends: ReadonlyMap<string, { readonly socket: BareSocket; readonly address: string }>,
  ) {
    this.scene = scene;
    this.#stack = stack;
    this.#ends = ends;
  }

  /** Resolves when both relays are proven to carry, every node has a place at one, and all know of all places. */
  static async start(): Promise<MeshOfSites> {
    await using started = new AsyncDisposableStack();
    const scene = started.use(await Scene.start({ nodes: NODE_IN_EVERY_SITE, sites: EVERY_SITE }));
    const { client, lab } = scene;
    await client.call('acls.replace', { body: JSON.stringify(ALL) });
    for (const name of PUBLIC) {
      started.use(await mayRunRelay(lab.node(name)));
      await client.call('relays.create', { body: { name, node: name, host: outsideName(name) } });
    }
    let health = '';
    await until(
      async () => {
        const { items } = (await client.call('relays.list', {})).body;
        health = items.map((relay) => relay.health).join(' ');
        return items.every(({ healthy }) => healthy);
      },
      () => `the relays are healthy: ${health}`,
    );
    await untilSeated(scene);
    const ends = new Map<string, { readonly socket: BareSocket; readonly address: string }>();
    for (const { name } of NODE_IN_EVERY_SITE) {
      const sockets = started.use(new BareSockets(lab.node(name)));
      ends.set(name, { socket: await sockets.bind(PORT), address: await scene.addressOf(name) });
    }
    return new MeshOfSites(scene, started.move(), ends);
  }

  /** Sends datagrams through the mesh until one arrives, or the time is over. */
  async passes(from: string, to: string, within_ms: number): Promise<Passage> {
    const [sender, receiver] = [this.#end(from), this.#end(to)];
    const text = newText();
    const began = performance.now();
    while (performance.now() - began < within_ms) {
      // A node that has no peer yet, or no place to send to, refuses; later it may not.
      await sender.socket.send({ host: receiver.address, port: PORT }, text).catch(() => undefined);
      if (await receiver.socket.arrives(text, AGAIN_MS)) return { passed: true, ms: performance.now() - began };
    }
    return { passed: false, ms: performance.now() - began };
  }

  /** What both ends say of the way between them. */
  async link(a: string, b: string): Promise<Link> {
    return (await this.scene.client.call('peers.show', { params: { a, b } })).body;
  }

  #end(name: string): { readonly socket: BareSocket; readonly address: string } {
    const end = this.#ends.get(name);
    if (end === undefined) throw new Error(`there is no node "${name}" in this mesh`);
    return end;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** Ours: by then every node has tried all that its network may block. */
const SEATED_WITHIN_MS = 90_000;

async function untilSeated({ client }: Scene): Promise<void> {
  let missing: readonly string[] = [];
  await until(
    async () => {
      const { items } = (await client.call('nodes.list', {})).body;
      missing = items.filter(({ relayed }) => (relayed ?? []).length === 0).map(({ name }) => name);
      return missing.length === 0;
    },
    () => `every node has a place at a relay, also ${missing.join(', ')}`,
    SEATED_WITHIN_MS,
  );
}
