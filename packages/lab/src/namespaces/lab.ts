import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atATime } from '../at-a-time.ts';
import { doorOf } from './keeper/door-addresses.ts';
import { Keeper } from './keeper/keeper.ts';
import { LabError, NoSuchLab } from './lab-error.ts';
import { type LabRecord, labFolder, labNames, readLab } from './life/lab-folder.ts';
import { isAlive } from './life/living-process.ts';
import { changePlan, claimLab, tearDown, tearDownByName } from './life/tear-down.ts';
import { buildNetwork } from './network/build-network.ts';
import { type Cut, cutsOf, setLink } from './network/cuts.ts';
import { moveNode } from './network/move-node.ts';
import { LabNode } from './node/lab-node.ts';
import { Place, SOCKETS } from './node/place.ts';
import { checkLabName, type LabPlan, planLab, plannedNode } from './plan/lab-plan.ts';
import type { LabSpec } from './plan/lab-spec.ts';
import { movedPlan } from './plan/moved-plan.ts';
import { plannedPlace } from './plan/places.ts';

export interface LabOptions extends LabSpec {
  /** Where the coordinator is, seen from here: `http://127.0.0.1:7400`. The nodes find it at `DOOR_URL`. */
  readonly coordinator: string;
  /** How to run `mesh`: Node, and the file. */
  readonly program: readonly string[];
  /** To enrol the nodes with. Absent: the network alone, and nodes that are not enrolled. */
  readonly token?: string | undefined;
  /** The lab outlives this process. */
  readonly stays?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called for each node that is enrolled. */
  readonly onNode?: ((name: string) => void) | undefined;
}

/** Ours: starting Node is what enrolling costs, and these run on a small machine. */
const ENROLS_AT_A_TIME = 4;

/** A mesh on one machine: every node in a network namespace of its own, with the real agent in it. */
export class Lab implements AsyncDisposable {
  #record: LabRecord;
  readonly nodes: ReadonlyMap<string, LabNode>;

  private constructor(record: LabRecord, program: readonly string[]) {
    this.#record = record;
    this.nodes = new Map(record.plan.nodes.map(({ name }) => [name, new LabNode(this, name, program)]));
  }

  /** Resolves when all is there: the network, the way to the coordinator, and the agents. Otherwise nothing is left. */
  static async up(options: LabOptions): Promise<Lab> {
    needsRoot();
    const plan = planLab(options);
    const id = randomUUID();
    const keeper = await Keeper.start({
      id,
      name: plan.name,
      net: plan.net,
      door: doorOf(plan.underlay),
      coordinator: hostAndPort(options.coordinator),
      stays: options.stays === true,
    });
    const record: LabRecord = { id, plan, keeper: keeper.id, coordinator: options.coordinator };
    try {
      await claimLab(record);
      const lab = new Lab(record, options.program);
      await lab.#build(keeper, options);
      return lab;
    } catch (error) {
      await keeper.end();
      await tearDown({ name: plan.name, id });
      throw error;
    }
  }

  async #build(keeper: Keeper, { token, stays, signal, onNode }: LabOptions): Promise<void> {
    await mkdir(SOCKETS, { recursive: true }); // a folder can only be laid over one that is there
    await buildNetwork(this.record.plan);
    await keeper.openDoor();
    if (token !== undefined) await this.#startNodes(token, { signal, onNode });
    signal?.throwIfAborted();
    if (stays === true) await keeper.stay();
  }

  async #startNodes(token: string, { signal, onNode }: Pick<LabOptions, 'signal' | 'onNode'>): Promise<void> {
    const file = join(labFolder(this.record.plan.name), 'token');
    await writeFile(file, token, { mode: 0o600 });
    try {
      await atATime(ENROLS_AT_A_TIME, this.nodes.values(), async (node) => {
        signal?.throwIfAborted();
        await node.enrol(file);
        onNode?.(node.name);
      });
    } finally {
      await rm(file, { force: true });
    }
    // Only now: running agents would be sent every node that enrols, which costs more than enrolling does.
    await atATime(ENROLS_AT_A_TIME, this.nodes.values(), (node) => node.agent.start());
  }

  /** One that is up already, also when another process started it. */
  static async open(name: string, program: readonly string[]): Promise<Lab> {
    needsRoot();
    checkLabName(name);
    const record = await readLab(name);
    if (record !== undefined && (await isAlive(record.keeper))) return new Lab(record, program);
    throw new NoSuchLab(name, await Lab.names());
  }

  /** Those that live. */
  static async names(): Promise<string[]> {
    needsRoot();
    const living = await Promise.all(
      (await labNames()).map(async (name) => {
        const record = await readLab(name);
        return record !== undefined && (await isAlive(record.keeper)) ? [name] : [];
      }),
    );
    return living.flat();
  }

  /** Ends what there is of a lab, whole or in pieces. False: there is nothing. */
  static async down(name: string): Promise<boolean> {
    needsRoot();
    checkLabName(name);
    return await tearDownByName(name);
  }

  /** The nodes of the mesh that a lab has enrolled. Also of one that is dead and not yet swept. */
  static async enrolled(name: string): Promise<string[]> {
    needsRoot();
    checkLabName(name);
    const record = await readLab(name);
    if (record === undefined) return [];
    const ids = await Promise.all([...new Lab(record, []).nodes.values()].map((node) => node.id()));
    return ids.filter((id) => id !== undefined);
  }

  get record(): LabRecord {
    return this.#record;
  }

  get plan(): LabPlan {
    return this.#record.plan;
  }

  node(name: string): LabNode {
    return this.nodes.get(plannedNode(this.plan, name).name) as LabNode;
  }

  /** Any place where a program can run: a node, `host-1`, `nat-<node>`, or `net`. */
  place(name: string): Place {
    const { plan } = this;
    const place = plannedPlace(plan, name);
    return this.nodes.get(name) ?? new Place(place, null);
  }

  /** Between two nodes or sites, or one of them and `coordinator`. Everything is lost in both directions until it is mended. */
  cut(one: string, other: string): Promise<void> {
    return setLink(this.plan, [one, other], 'cut');
  }

  mend(one: string, other: string): Promise<void> {
    return setLink(this.plan, [one, other], 'whole');
  }

  cuts(): Promise<Cut[]> {
    return cutsOf(this.plan);
  }

  /**
   * To another site, or to `internet`, outside of all: its interface vanishes, and another one appears with other addresses
   * and routes. Whatever runs there goes on, as on a laptop that is carried elsewhere.
   */
  async move(name: string, to: string): Promise<void> {
    this.#record = await changePlan(this.#record, async (plan) => {
      const moved = movedPlan(plan, name, to);
      await moveNode(moved, plannedNode(moved, name));
      return moved;
    });
  }

  /** Doing so twice changes nothing. */
  async down(): Promise<void> {
    await tearDown({ name: this.plan.name, id: this.record.id });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.down();
  }
}

function needsRoot(): void {
  if (process.getuid?.() === 0) return;
  const message =
    'a lab makes network namespaces, which only root may do on this machine: run it as root, or with sudo';
  throw new LabError('not_permitted', message);
}

function hostAndPort(url: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = URL.parse(url) ?? {};
  if (protocol !== 'http:' || hostname === undefined) {
    // Behind the door it has another name and address, which no certificate of it would be for.
    throw new LabError('usage', 'nodes of a lab reach their coordinator by http://, and this one is elsewhere');
  }
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' || port === undefined ? 80 : Number(port) };
}
