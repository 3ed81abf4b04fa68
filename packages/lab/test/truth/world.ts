import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node, PolicyDocument, Posture } from '@meshwork/contract';
import { labFolder, nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';
import { labNodes } from '../../src/namespaces/settle-in.ts';
import type { Prober } from '../lab-prober.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { BEHIND, isProvider, LISTENED_ON, METER_PORT, NAMES, NODES, SUBNET, UDP_PORTS } from './roster.ts';

/** Ours: soon, and not so soon that an agent on a busy machine is called silent for being slow. */
const NODE_SETTINGS = { heartbeat_interval_s: 2, stale_after_s: 8, unreachable_after_s: 14, drift_after_s: 30 };
const SETTLES_WITHIN_MS = 90_000;
/** What a grant, a host rule or a peer is in effect by. */
const SECTIONS = ['self', 'peers', 'acl', 'firewall'] as const;

/** A mesh, with what the harness did to it. None of this is asked of the coordinator. */
export class World implements AsyncDisposable {
  readonly scene: Scene;
  /** Hosts that are off: nothing leaves them. */
  readonly off = new Set<string>();
  /** Addresses of nodes that were removed. */
  readonly forgotten = new Set<string>();
  readonly #listening = new Map<string, Set<number>>();
  #changes = 0;
  /** As they were when all had settled. */
  nodes: readonly Node[] = [];
  policy: PolicyDocument = {};

  private constructor(scene: Scene) {
    this.scene = scene;
  }

  static async start(): Promise<World> {
    const nodes = { ...NODE_SETTINGS, require_approval: false };
    const world = new World(await Scene.start({ nodes: NODES, subnets: [SUBNET], settings: { nodes } }));
    try {
      await Promise.all([...NAMES, BEHIND.place].map((place) => world.#listenAll(place)));
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #listenAll(place: string): Promise<void> {
    this.#listening.set(place, new Set(LISTENED_ON));
    const prober = this.scene.prober(place);
    await Promise.all(LISTENED_ON.map((port) => prober.listen(port)));
    await Promise.all([...UDP_PORTS, METER_PORT].map((port) => prober.listen(port, 'udp')));
  }

  prober(place: string): Prober {
    return this.scene.prober(place);
  }

  host(name: string): LabNode {
    return this.scene.lab.node(name);
  }

  /** How often the harness has begun or ended a change: an answer and an attempt with one between them may differ. */
  get changes(): number {
    return this.#changes;
  }

  /** Everything that the harness changes goes through here. */
  async change(work: () => Promise<unknown>): Promise<void> {
    this.#changes += 1;
    try {
      await work();
    } finally {
      this.#changes += 1;
    }
  }

  async setListening(place: string, port: number, isListening: boolean): Promise<void> {
    const ports = this.#listening.get(place) ?? new Set();
    if (ports.has(port) === isListening) return;
    if (isListening) ports.add(port);
    else ports.delete(port);
    await (isListening ? this.prober(place).listen(port) : this.prober(place).hush(port));
  }

  node(name: string): Node {
    const node = this.nodes.find((each) => each.name === name);
    if (node === undefined) throw new Error(`there is no node ${name} in this mesh`);
    return node;
  }

  async setPolicy(policy: PolicyDocument): Promise<void> {
    this.policy = policy;
    await this.scene.client.call('acls.replace', { body: JSON.stringify(policy) });
  }

  async retag(name: string, tags: readonly string[]): Promise<void> {
    await this.scene.client.call('nodes.retag', { params: { id: this.node(name).id }, body: { tags: [...tags] } });
  }

  /** Takes a node out of the mesh for good, and makes its machine another node of the same name. */
  async replace(name: string): Promise<void> {
    const { scene } = this;
    const { id, address, address6 } = this.node(name);
    await scene.client.call('nodes.remove', { params: { id } });
    for (const one of [address, address6]) this.forgotten.add(bare(one));
    const node = this.host(name);
    await node.agent.stop();
    const { name: lab } = scene.lab.plan;
    await rm(join(nodeFolder(lab, name), 'state'), { recursive: true });
    const token = join(labFolder(lab), `token-${name}`);
    await writeFile(token, scene.mesh.token, { mode: 0o600 });
    const id_now = await node.enrol(token);
    await rm(token);
    await node.agent.start();
    if (isProvider(name)) await this.approveRoutes(id_now, [SUBNET.cidr]);
    this.nodes = await labNodes(scene.lab, scene.client);
  }

  async approveRoutes(id: string, routes: readonly string[]): Promise<void> {
    const body = { approved: [...routes], shared: [...routes] };
    await this.scene.client.call('nodes.approve_routes', { params: { id }, body });
  }

  /** Waits until all that should be in effect is, and the coordinator knows it. */
  async settle(signal: AbortSignal): Promise<void> {
    let apart: readonly string[] = [];
    const isSettled = async () => {
      signal.throwIfAborted();
      apart = await this.unsettled(NAMES);
      return this.nodes.length === NAMES.length && apart.length === 0;
    };
    await until(isSettled, () => `these do not settle:\n${apart.join('\n')}`, SETTLES_WITHIN_MS);
    for (const { address, address6 } of this.nodes) {
      for (const one of [address, address6]) this.forgotten.delete(bare(one)); // given to a node again
    }
  }

  /** What these nodes still lack, in words. */
  async unsettled(names: readonly string[]): Promise<readonly string[]> {
    this.nodes = await labNodes(this.scene.lab, this.scene.client);
    const meant = this.nodes.filter(({ name }) => names.includes(name));
    return (await Promise.all(meant.map((node) => this.#unsettled(node)))).filter((each) => each !== undefined);
  }

  /** What a node still lacks. Undefined: nothing. */
  async #unsettled(node: Node): Promise<string | undefined> {
    const { id, name, state } = node;
    if (state !== 'active') return `${name} is ${state}. Its agent last logged:\n${await this.lastLines(name)}`;
    const { sections } = await this.posture(id);
    const late = SECTIONS.find((section) => !sections[section].in_sync);
    if (late !== undefined) return `${name}: ${late}: ${JSON.stringify(sections[late])}`;
    const wrong = node.service_bindings.find(
      ({ port, health }) => (health === 'passing') !== (this.#listening.get(name)?.has(port) === true),
    );
    return wrong === undefined ? undefined : `${name}: ${JSON.stringify(wrong)}`;
  }

  async lastLines(name: string): Promise<string> {
    return (await this.host(name).logs()).trimEnd().split('\n').slice(-6).join('\n');
  }

  async posture(id: string): Promise<Posture> {
    return (await this.scene.client.call('nodes.posture', { params: { id } })).body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scene[Symbol.asyncDispose]();
  }
}

export function bare(address: string): string {
  return address.replace(/\/\d+$/, '');
}
