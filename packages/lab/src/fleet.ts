import { HeldView, LeanFetch } from '@meshwork/agent';
import { createClient } from '@meshwork/client';
import type { Service } from '@meshwork/contract';
import { type SleepingClock, systemClock } from '@meshwork/time';
import { atATime } from './at-a-time.ts';
import { type ChurnRates, churn } from './churn.ts';
import { digestViews } from './digest-view.ts';
import { type Newcomer, Registrar } from './enrolment.ts';
import type { Fault } from './faulty-data-plane.ts';
import { FleetCounter, type FleetStats } from './fleet-stats.ts';
import { type FleetIdentity, saveIdentities } from './identities.ts';
import { SimulatedNode, type Surroundings } from './simulated-node.ts';

export interface FleetOptions {
  /** Of the coordinators, any of which will do for the agents. The first one is asked to enrol them. */
  readonly urls: readonly [string, ...string[]];
  /** May enrol nodes; `leave` also needs it to remove them. */
  readonly token: string;
  /** Of the n-th node, counted from 0. */
  readonly name?: (index: number) => string;
  readonly tags?: (index: number) => readonly string[];
  readonly services?: (index: number) => readonly Service[];
  /** Networks that it offers to forward to. */
  readonly routes?: (index: number) => readonly string[];
  /** What nodes keep of the records they receive: peers, and terms with them. `digests` lets a fleet be large. */
  readonly keep?: 'records' | 'digests';
  /** Links that each node reports at most. */
  readonly max_links?: number;
  /** Enrolments at the same time. */
  readonly concurrency?: number;
  readonly clock?: SleepingClock;
  readonly random?: () => number;
  /** Ends everything. */
  readonly signal?: AbortSignal;
}

const AGENT_VERSION = '0.1.0-simulated';
const CONCURRENCY = 16;
const MAX_LINKS = 32;
/** Ours: each agent of a fleet has a heartbeat that waits, on a connection of its own. */
const MAX_IDLE_CONNECTIONS = 20_000;
/** Nodes that come back with their identities do so over a time, as those of a real mesh would. */
const STARTS_AT_A_TIME = 50;
const START_PAUSE_MS = 50;
const LOOK_MS = 50;

/** Many nodes in one process, each of them the real agent without a data plane. */
export class Fleet implements AsyncDisposable {
  readonly #options: FleetOptions;
  readonly #clock: SleepingClock;
  readonly #random: () => number;
  readonly #byId = new Map<string, SimulatedNode>();
  readonly #counter: FleetCounter;
  readonly #lean = new LeanFetch({}, MAX_IDLE_CONNECTIONS);
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  readonly #registrar: Registrar;
  readonly #surroundings: Surroundings;
  readonly #background: Promise<void>[] = [];
  #made = 0;
  #moves = 0;
  #rushing = false;
  #crash: unknown;

  constructor(options: FleetOptions) {
    const { urls, token, clock = systemClock, random = Math.random, keep = 'digests', max_links = MAX_LINKS } = options;
    const { fetch } = this.#lean;
    this.#options = options;
    this.#clock = clock;
    this.#random = random;
    this.#counter = new FleetCounter(this.#byId, () => clock.now());
    this.#signal = AbortSignal.any([this.#closing.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    this.#registrar = new Registrar({ url: urls[0], token, fetch, agent_version: AGENT_VERSION, signal: this.#signal });
    const clientOf = (url: string) => createClient({ url, fetch, user_agent: `meshwork-agent/${AGENT_VERSION}` });
    this.#surroundings = {
      coordinators: [clientOf(urls[0]), ...urls.slice(1).map(clientOf)],
      clock,
      random: () => (this.#rushing ? 0 : random()), // no agent spreads out in a storm
      observer: this.#counter.observer,
      agent_version: AGENT_VERSION,
      max_links,
      newView: keep === 'records' ? () => new HeldView() : digestViews(),
      crashed: (error) => {
        this.#crash ??= error;
        this.#counter.crashed();
      },
    };
  }

  get nodes(): readonly SimulatedNode[] {
    return [...this.#byId.values()];
  }

  /** What an agent, or the churn, failed with that should not fail. Absent: nothing did. */
  get crash(): unknown {
    return this.#crash;
  }

  node(id: string): SimulatedNode | undefined {
    return this.#byId.get(id);
  }

  stats(): FleetStats {
    return this.#counter.stats();
  }

  /** New nodes, enrolled and running. */
  async join(count: number, progress: (done: number) => void = () => undefined): Promise<readonly SimulatedNode[]> {
    const { concurrency = CONCURRENCY } = this.#options;
    const joined: SimulatedNode[] = [];
    const indices = Array.from({ length: count }, (_, offset) => this.#made + offset);
    this.#made += count;
    await atATime(concurrency, indices, async (index) => {
      const newcomer = this.#newcomer(index);
      const node = this.#add(await this.#registrar.enroll(newcomer), newcomer.endpoint);
      node.start();
      joined.push(node);
      progress(joined.length);
    });
    return joined;
  }

  /** Nodes that were enrolled before. */
  async resume(
    identities: readonly FleetIdentity[],
    progress: (done: number) => void = () => undefined,
  ): Promise<void> {
    const nodes = identities.map((identity) => {
      const node = this.#add(identity, endpointOf(this.#made));
      // Names of those who join later must not meet those of now, which often end in a number.
      this.#made = Math.max(this.#made + 1, Number(/\d+$/.exec(identity.name)?.[0] ?? 0));
      return node;
    });
    for (const [index, node] of nodes.entries()) {
      if (index % STARTS_AT_A_TIME === STARTS_AT_A_TIME - 1) await this.#clock.sleep(START_PAUSE_MS, this.#signal);
      node.start();
      progress(index + 1);
    }
  }

  /** They go silent. */
  async stop(nodes: readonly SimulatedNode[]): Promise<void> {
    await Promise.all(nodes.map((node) => node.stop()));
  }

  /** Each comes back as a new boot. */
  async restart(nodes: readonly SimulatedNode[]): Promise<void> {
    await this.stop(nodes);
    for (const node of nodes) node.start();
  }

  /** They stop and are removed from the mesh, which the token must be good for. */
  async leave(nodes: readonly SimulatedNode[]): Promise<void> {
    await atATime(CONCURRENCY, nodes, async (node) => {
      await node.stop();
      await this.#registrar.remove(node.id);
      this.#byId.delete(node.id);
    });
  }

  /** A node can be reached somewhere else. */
  move(node: SimulatedNode): void {
    this.#moves += 1;
    node.moveTo(endpointOf(this.#moves, 10_000 + (this.#moves % 50_000)));
  }

  /** Nodes that run and behave, chosen at random; fewer when there are not that many. */
  some(count: number): readonly SimulatedNode[] {
    const rest = this.nodes.filter(({ running, plane }) => running && plane.fault === undefined);
    const chosen: SimulatedNode[] = [];
    while (chosen.length < count && rest.length > 0) {
      const [node] = rest.splice(Math.floor(this.#random() * rest.length), 1);
      if (node !== undefined) chosen.push(node);
    }
    return chosen;
  }

  /** They misbehave from now on. Absent: they behave again. */
  fail(nodes: readonly SimulatedNode[], fault: Fault | undefined): void {
    for (const node of nodes) node.plane.setFault(fault);
  }

  /** Joins, leaves and moves go on until the fleet is closed or the signal says so. */
  churn(rates: ChurnRates, signal: AbortSignal = this.#signal): void {
    const one = (act: (node: SimulatedNode) => Promise<void> | void) => async () => {
      const [node] = this.some(1);
      if (node !== undefined) await act(node);
    };
    const actions = {
      moves: one((node) => this.move(node)),
      joins: async () => void (await this.join(1)),
      leaves: one((node) => this.leave([node])),
    };
    const either = AbortSignal.any([signal, this.#signal]);
    const churning = churn(rates, actions, this.#clock, either).catch((error: unknown) => {
      if (!either.aborted) this.#surroundings.crashed(error);
    });
    this.#background.push(churning);
  }

  /**
   * Breaks every connection, and every agent that had one comes back at the same moment: worse than what a coordinator
   * that dies does to its mesh, because agents take their time otherwise. Resolves when all of them were answered.
   */
  async storm(): Promise<void> {
    const before = this.stats().connected;
    this.#rushing = true;
    try {
      this.#lean.drop();
      await this.#clock.sleep(LOOK_MS, this.#signal); // long enough for all to notice
      await this.until(({ retrying, connected }) => retrying === 0 && connected >= before, { timeout_ms: 120_000 });
    } finally {
      this.#rushing = false;
    }
  }

  /** Rejects when it takes longer than it may. */
  async until(reached: (stats: FleetStats) => boolean, { timeout_ms = 60_000 } = {}): Promise<void> {
    const deadline = this.#clock.now() + timeout_ms;
    while (!reached(this.stats())) {
      if (this.#clock.now() > deadline)
        throw new Error(`not reached in ${timeout_ms} ms: ${JSON.stringify(this.stats())}`);
      await this.#clock.sleep(LOOK_MS, this.#signal);
    }
  }

  /** For `resume`, in a file that only its owner can read. */
  async save(file: string): Promise<void> {
    await saveIdentities(
      file,
      this.nodes.map(({ identity }) => identity),
    );
  }

  /** Stops every agent. Their nodes stay enrolled. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the fleet was closed'));
    await Promise.all(this.#background);
    await this.stop(this.nodes);
    this.#lean.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #newcomer(index: number): Newcomer {
    const { name = (n: number) => `sim-${n + 1}`, tags, services, routes } = this.#options;
    return {
      name: name(index),
      tags: tags?.(index) ?? [],
      endpoint: endpointOf(index),
      services: services?.(index) ?? [],
      routes: routes?.(index) ?? [],
    };
  }

  #add(identity: FleetIdentity, endpoint: string): SimulatedNode {
    const node = new SimulatedNode(identity, endpoint, this.#surroundings);
    this.#byId.set(node.id, node);
    return node;
  }
}

/** In 198.18.0.0/15, which is set apart for trying things out (RFC 2544). */
function endpointOf(index: number, port = 51_820): string {
  const low = index % 2 ** 17;
  return `198.${18 + (low >> 16)}.${(low >> 8) & 255}.${low & 255}:${port}`;
}

/** A fleet of new nodes. What was enrolled by then stays so when it fails. */
export async function startFleet({ nodes, ...options }: FleetOptions & { readonly nodes: number }): Promise<Fleet> {
  const fleet = new Fleet(options);
  try {
    await fleet.join(nodes);
    return fleet;
  } catch (error) {
    await fleet.close();
    throw error;
  }
}
