import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Node, PolicyDocument, Posture } from '@meshwork/contract';
import { labFolder, nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { labNodes } from '../../src/namespaces/settle-in.ts';
import { Scene } from '../lab-scene.ts';
import type { Random } from '../seeded.ts';
import { until } from '../until.ts';
import { BEHIND, declaredOn, LISTENED_ON, NAMES, NODES, STRANGERS, SUBNET } from './explain-roster.ts';

/** Ours: soon, and not so soon that an agent on a busy machine is called silent for being slow. */
const NODE_SETTINGS = { heartbeat_interval_s: 2, stale_after_s: 8, unreachable_after_s: 14, drift_after_s: 30 };
const SETTLES_WITHIN_MS = 60_000;
/** What a grant, a host rule or a peer is in effect by. */
const SECTIONS = ['self', 'peers', 'acl', 'firewall'] as const;

/** A mesh with what the test knows of it by its own doing, which is never asked of the coordinator. */
export class World implements AsyncDisposable {
  readonly scene: Scene;
  /** Nodes whose agent does not run, or does not get through to the coordinator. */
  readonly silent = new Set<string>();
  /** Addresses that nodes had which are gone. */
  readonly forgotten = new Set<string>();
  readonly #listening = new Map<string, Set<number>>();
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
      await world.scene.lab.cut(...STRANGERS);
      await Promise.all([...NAMES, BEHIND.place].map((place) => world.#listenAll(place)));
      return world;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #listenAll(place: string): Promise<void> {
    this.#listening.set(place, new Set(LISTENED_ON));
    await Promise.all(LISTENED_ON.map((port) => this.scene.prober(place).listen(port)));
  }

  isListening(place: string, port: number): boolean {
    return this.#listening.get(place)?.has(port) === true;
  }

  /** Something begins to listen where nothing did, or the other way round. */
  async toggle(place: string, port: number): Promise<void> {
    const ports = this.#listening.get(place) ?? new Set();
    const prober = this.scene.prober(place);
    if (ports.delete(port)) return await prober.hush(port);
    ports.add(port);
    await prober.listen(port);
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
    const node = scene.lab.node(name);
    await node.agent.stop();
    const { name: lab } = scene.lab.plan;
    await rm(join(nodeFolder(lab, name), 'state'), { recursive: true });
    const token = join(labFolder(lab), `token-${name}`);
    await writeFile(token, scene.mesh.token, { mode: 0o600 });
    const id_now = await node.enrol(token);
    await rm(token);
    await node.agent.start();
    if (!SUBNET.providers.some((provider) => provider === name)) return;
    await scene.client.call('nodes.approve_routes', {
      params: { id: id_now },
      body: { approved: [SUBNET.cidr], shared: [SUBNET.cidr] },
    });
  }

  /** Waits until all that should be in effect is, and the coordinator knows it. */
  async settle(): Promise<void> {
    const { client, lab } = this.scene;
    let apart: readonly string[] = [];
    const isSettled = async () => {
      this.nodes = await labNodes(lab, client);
      const all = await Promise.all(this.nodes.map((node) => this.#unsettled(node)));
      apart = all.filter((each) => each !== undefined);
      return apart.length === 0;
    };
    await until(isSettled, () => `these do not settle:\n${apart.join('\n')}`, SETTLES_WITHIN_MS);
    for (const { address, address6 } of this.nodes) {
      for (const one of [address, address6]) this.forgotten.delete(bare(one)); // given to a node anew
    }
  }

  /** What a node still lacks. Undefined: nothing. */
  async #unsettled(node: Node): Promise<string | undefined> {
    const { id, name, state } = node;
    const isSilent = state === 'stale' || state === 'unreachable';
    if (this.silent.has(name)) return isSilent || state === 'quarantined' ? undefined : `${name} is ${state}`;
    if (isSilent) return `${name} is ${state}. The last words of its agent:\n${await this.#lastWords(name)}`;
    const { sections } = (await this.scene.client.call('nodes.posture', { params: { id } })).body;
    const late = SECTIONS.find((section) => !sections[section].in_sync);
    if (late !== undefined) return `${name}: ${late}: ${JSON.stringify(sections[late])}`;
    const wrong = node.service_bindings.find(
      ({ port, health }) => (health === 'passing') !== this.isListening(name, port),
    );
    return wrong === undefined ? undefined : `${name}: ${JSON.stringify(wrong)}`;
  }

  async #lastWords(name: string): Promise<string> {
    return (await this.scene.lab.node(name).logs()).trimEnd().split('\n').slice(-6).join('\n');
  }

  /** Whether it says that it offers something there which is not there. */
  isFailing(name: string, port: number): boolean {
    return declaredOn(name, port) !== undefined && !this.isListening(name, port);
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

/** Tags that a node may have. The team makes its boundary. */
export function randomTags(random: Random, team: readonly string[]): string[] {
  const role = `role:${random.pick(['web', 'db', 'dev'])}`;
  return [...team, role, ...(random() < 0.4 ? ['audited'] : [])];
}
