import type { Link, Node } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { processesAt } from '../real-mesh/host-faults.ts';
import { untilReady } from '../real-mesh/standing.ts';
import { type Stream, Streams } from '../real-mesh/stream.ts';
import { endpointOf } from '../real-mesh/wireguard.ts';
import { mayRunRelay, type RelayNode } from '../relay-node.ts';
import { until } from '../until.ts';

/** Behind `two`. */
export const SUBNET = '10.77.0.0/24';
const GRANTED = {
  groups: { all: ['*'], one: ['node:one'] },
  grants: [
    { from: 'all', to: 'all', allow: ['*'] },
    { from: 'one', to: SUBNET, allow: ['*'] },
  ],
};
const RELAYS = ['pub-1', 'pub-2'] as const;
/**
 * `one` and `two` get through to each other. From the site of `three` no datagram gets out, so all its links are relayed. `four`
 * is where `one` is.
 */
const SITES = [
  { name: 'site-1', nat: 'port-restricted' },
  { name: 'site-2', nat: 'port-restricted' },
  { name: 'site-3', nat: 'masquerade', egress: 'tcp-only' },
] as const;
const INSIDE = [
  { name: 'one', site: 'site-1' },
  { name: 'two', site: 'site-2', routes: [SUBNET] },
  { name: 'three', site: 'site-3' },
  { name: 'four', site: 'site-1' },
] as const;
type InsideName = (typeof INSIDE)[number]['name'];
/** Ours: a search that comes at the wrong time is repeated after a minute. */
const WITHIN_MS = 100_000;

/** Two relays, three nodes in sites, and streams between those. */
export class RelayedSites implements AsyncDisposable {
  readonly scene: Scene;
  readonly #streams: Streams;
  readonly #relays: ReadonlyMap<string, RelayNode>;
  /** WireGuard's, by node. */
  readonly #keys = new Map<string, string>();
  #stack = new AsyncDisposableStack();
  #ports = 7000;

  private constructor(scene: Scene, streams: Streams, relays: ReadonlyMap<string, RelayNode>) {
    [this.scene, this.#streams, this.#relays] = [scene, streams, relays];
  }

  /** Resolves when every node receives through both relays. */
  static async start(): Promise<RelayedSites> {
    await using started = new AsyncDisposableStack();
    const folders = started.use(new AsyncDisposableStack()); // removed last, when the relays have ended
    const scene = started.use(
      await Scene.start({
        nodes: [...RELAYS.map((name) => ({ name })), ...INSIDE],
        sites: SITES,
        settings: { nodes: { heartbeat_interval_s: 2 } },
      }),
    );
    const { client, lab } = scene;
    await client.call('acls.replace', { body: JSON.stringify(GRANTED) });
    const relays = new Map<string, RelayNode>();
    for (const name of RELAYS) {
      relays.set(name, folders.use(await mayRunRelay(lab.node(name))));
      await client.call('relays.create', { body: { name, node: name, host: lab.node(name).address } });
    }
    const sites = new RelayedSites(scene, started.use(new Streams()), relays);
    await sites.untilSeated();
    for (const { name } of INSIDE) sites.#keys.set(name, (await scene.node(name)).wireguard_key);
    sites.#stack = started.move();
    return sites;
  }

  /** All receive through both relays. */
  async untilSeated(): Promise<void> {
    for (const { name } of INSIDE) {
      let node: Node | undefined;
      await until(
        async () => {
          node = await this.scene.node(name);
          const [home, standby] = node.relayed ?? [];
          return home !== undefined && home.relay === node.relay && standby?.relay === node.standby_relay;
        },
        () => `${name} receives through its relays: ${JSON.stringify(node)}`,
      );
    }
  }

  async stream(from: InsideName, to: InsideName): Promise<Stream> {
    const { lab } = this.scene;
    this.#ports += 1;
    const port = this.#ports;
    const host = await this.scene.addressOf(to);
    try {
      return await this.#streams.open(lab.node(from), lab.node(to), { host, port });
    } catch (error) {
      const shown = await Promise.all([from, to].map((name) => lab.node(name).exec('wg', ['show', 'mesh0'])));
      const { body: link } = await this.scene.client.call('peers.show', { params: { a: from, b: to } });
      throw new Error(`no stream from ${from} to ${to}: ${JSON.stringify(link)}\n${shown.join('\n')}`, {
        cause: error,
      });
    }
  }

  /** The relays that the packets of a link go through, as soon as both ends report the same. */
  async relaysOf(
    a: InsideName,
    b: InsideName,
    isWanted = (_: ReadonlySet<string>) => true,
  ): Promise<ReadonlySet<string>> {
    let link: Link | undefined;
    let relays: ReadonlySet<string> = new Set();
    await until(
      async () => {
        link = (await this.scene.client.call('peers.show', { params: { a, b } })).body;
        const [one, other] = [link.a_view, link.b_view];
        const [from, to] = [one?.via?.relay, other?.via?.relay];
        if (from == null || to == null || one?.relay !== to || other?.relay !== from) return false;
        relays = new Set([from, to]);
        return isWanted(relays);
      },
      () => `the relays of the link of ${a} and ${b}: ${JSON.stringify(link)}`,
    );
    return relays;
  }

  otherRelay(relay: string): string {
    return RELAYS.find((name) => name !== relay) ?? '';
  }

  /** As `a` reports it. */
  async untilLeavesBy(a: InsideName, b: InsideName, relay: string): Promise<void> {
    let link: Link | undefined;
    await until(
      async () => {
        link = (await this.scene.client.call('peers.show', { params: { a, b } })).body;
        return link.a_view?.via?.relay === relay;
      },
      () => `packets of ${a} for ${b} leave by ${relay}: ${JSON.stringify(link)}`,
    );
  }

  /** As both ends report it. */
  async untilReported(a: InsideName, b: InsideName, path: Link['path']): Promise<Link> {
    let link: Link | undefined;
    await until(
      async () => {
        link = (await this.scene.client.call('peers.show', { params: { a, b } })).body;
        return link.path === path && link.state === 'up';
      },
      () => `the link of ${a} and ${b} is reported as ${path}: ${JSON.stringify(link)}`,
      WITHIN_MS,
    );
    return link as unknown as Link;
  }

  /** As both ends report it. */
  async untilReportedMtu(a: InsideName, b: InsideName, isWanted: (mtu: number) => boolean): Promise<void> {
    let link: Link | undefined;
    await until(
      async () => {
        link = (await this.scene.client.call('peers.show', { params: { a, b } })).body;
        return [link.a_view, link.b_view].every((view) => view?.mtu != null && isWanted(view.mtu));
      },
      () => `the MTU of the link of ${a} and ${b} is reported: ${JSON.stringify(link)}`,
    );
  }

  /** As WireGuard has it at both ends, whatever is reported. */
  async untilGoes(a: InsideName, b: InsideName, path: 'direct' | 'relay'): Promise<void> {
    let endpoints: readonly (string | undefined)[] = [];
    await until(
      async () => {
        endpoints = await Promise.all([
          endpointOf(this.scene.lab.node(a), this.#keys.get(b) ?? ''),
          endpointOf(this.scene.lab.node(b), this.#keys.get(a) ?? ''),
        ]);
        return endpoints.every((endpoint) => endpoint?.startsWith('127.') === (path === 'relay'));
      },
      () => `packets of ${a} and ${b} go by ${path}, not to ${endpoints}`,
      WITHIN_MS,
    );
  }

  /**
   * The uplink of a site carries less, without a word: its router drops what is too large. It makes connections by TCP fit,
   * as routers do, and does not see those inside the tunnel. Until it is disposed of.
   */
  async narrow(site: (typeof SITES)[number]['name'], mtu: number): Promise<AsyncDisposable> {
    const router = this.scene.lab.place(`nat-${site}`);
    const setMtu = (bytes: number) => router.exec('ip', ['link', 'set', 'eth0', 'mtu', `${bytes}`]);
    const chain = (hook: string, rule: string) =>
      `chain ${hook} {\ntype filter hook ${hook} priority -150; policy accept;\n${rule}\n}\n`;
    const silent = chain('output', 'icmp type destination-unreachable drop');
    const fitting = chain('forward', 'tcp flags syn tcp option maxseg size set rt mtu');
    await router.exec('nft', [`table ip narrow {\n${silent}${fitting}}`]);
    await setMtu(mtu);
    return {
      [Symbol.asyncDispose]: async () => {
        await setMtu(1500);
        await router.exec('nft', ['delete table ip narrow']);
      },
    };
  }

  /** How large packets of a node to an address may be, as the kernel has it. */
  async untilMtu(from: InsideName, address: string, isWanted: (mtu: number) => boolean): Promise<void> {
    let mtu: number | undefined;
    await until(
      async () => {
        const [, found = '1420'] =
          (await this.scene.lab.node(from).exec('ip', ['route', 'get', address])).match(/ mtu (\d+)/) ?? [];
        mtu = Number(found);
        return isWanted(mtu);
      },
      () => `packets of ${from} to ${address} may have another size than ${mtu}`,
    );
  }

  /** How often WireGuard says something where there is nothing to say: `off`, or a number of seconds. */
  async keepalive(from: InsideName, to: InsideName): Promise<string | undefined> {
    const lines = await this.scene.lab.node(from).exec('wg', ['show', 'mesh0', 'persistent-keepalive']);
    const all = lines.split('\n').map((line) => line.split('\t'));
    return all.find(([key]) => key === this.#keys.get(to))?.[1];
  }

  /** Until it is disposed of there is none, and no agent that would start it again. */
  async killRelay(relay: string): Promise<AsyncDisposable> {
    return await this.#harm(relay, 'SIGKILL');
  }

  /** Until it is disposed of its process does nothing, and there is no agent that would end it. */
  async hangRelay(relay: string): Promise<AsyncDisposable> {
    return await this.#harm(relay, 'SIGSTOP');
  }

  async #harm(relay: string, signal: 'SIGKILL' | 'SIGSTOP'): Promise<AsyncDisposable> {
    const { agent } = this.scene.lab.node(relay);
    const pid = await this.#process(relay, 'turnserver');
    await agent.stop('SIGKILL');
    process.kill(pid, signal);
    return {
      [Symbol.asyncDispose]: async () => {
        if (signal === 'SIGSTOP') process.kill(pid, 'SIGCONT');
        await this.#relays.get(relay)?.start();
        await untilReady(this.scene.lab.node(relay));
      },
    };
  }

  async carrier(name: InsideName): Promise<number> {
    return await this.#process(name, 'mesh-carrier');
  }

  /** From all sites, until it is disposed of. Its node still reaches the coordinator. */
  async cutRelay(relay: string): Promise<AsyncDisposable> {
    const { lab } = this.scene;
    for (const { name } of SITES) await lab.cut(relay, name);
    return {
      [Symbol.asyncDispose]: async () => {
        for (const { name } of SITES) await lab.mend(relay, name);
      },
    };
  }

  async #process(place: string, name: string): Promise<number> {
    let found: readonly number[] = [];
    await until(
      async () => {
        found = await processesAt(this.scene.lab.place(place), name);
        return found.length === 1;
      },
      () => `there is one ${name} at ${place}, not ${found.length}`,
    );
    return found[0] ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
