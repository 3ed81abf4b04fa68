import {
  Agent,
  type AgentObserver,
  type AgentStatus,
  DRY_RUN_ABILITIES,
  type Ending,
  type ReceivedView,
} from '@meshwork/agent';
import type { Client } from '@meshwork/client';
import type { Report, SelfSection } from '@meshwork/contract';
import type { SleepingClock } from '@meshwork/time';
import { FaultyDataPlane } from './faulty-data-plane.ts';
import type { FleetIdentity } from './identities.ts';

/** What all nodes of a fleet share. */
export interface Surroundings {
  readonly coordinators: readonly [Client, ...Client[]];
  readonly clock: SleepingClock;
  readonly random: () => number;
  readonly observer: AgentObserver;
  readonly agent_version: string;
  readonly max_links: number;
  /** For a new boot of one of them. */
  newView(): ReceivedView;
  /** Called when an agent throws instead of ending: a bug of ours, which the fleet counts. */
  crashed(error: unknown): void;
}

interface Running {
  readonly agent: Agent<ReceivedView>;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

/** One node of the fleet: the real agent over a data plane that touches nothing. */
export class SimulatedNode {
  readonly identity: FleetIdentity;
  readonly plane: FaultyDataPlane;
  /** 0: none yet. */
  answered_at_ms = 0;
  readonly #surroundings: Surroundings;
  #endpoint: string;
  #running: Running | undefined;
  #ending: Ending | undefined;

  constructor(identity: FleetIdentity, endpoint: string, surroundings: Surroundings) {
    const { clock, max_links } = surroundings;
    this.identity = identity;
    this.#endpoint = endpoint;
    this.#surroundings = surroundings;
    this.plane = new FaultyDataPlane({ node: identity.node, now: () => clock.now(), max_links });
  }

  get id(): string {
    return this.identity.node;
  }

  get name(): string {
    return this.identity.name;
  }

  /** Where it can be reached. */
  get endpoint(): string {
    return this.#endpoint;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Absent: it has not been started, or was stopped. */
  get status(): AgentStatus | undefined {
    return this.#running?.agent.status;
  }

  /** Why it ended by itself. Absent: it did not. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  get revision(): number {
    return this.#running?.agent.view.revision ?? 0;
  }

  get peers(): number {
    return this.#running?.agent.view.peers.size ?? 0;
  }

  /** Its own section. Absent: not received yet. */
  get self(): SelfSection | undefined {
    return this.#running?.agent.view.sections.self;
  }

  /** What it holds now. Absent: it does not run. */
  get view(): ReceivedView | undefined {
    return this.#running?.agent.view;
  }

  /** A new boot, which holds nothing and reports everything. */
  start(): void {
    if (this.#running !== undefined) return;
    const { identity, plane } = this;
    const { newView, coordinators, clock, random, observer, agent_version } = this.#surroundings;
    const agent = new Agent<ReceivedView>({
      identity: { node: identity.node, key: identity.key, audience: identity.audience },
      coordinators,
      view: newView(),
      data_plane: plane,
      report: { agent_version, abilities: DRY_RUN_ABILITIES, endpoints: [this.#endpoint] },
      clock,
      random,
      observer,
      interval_s: identity.interval_s,
    });
    const stopping = new AbortController();
    this.#ending = undefined;
    this.#running = { agent, stopping, done: this.#follow(agent, stopping.signal) };
  }

  /** It goes silent without a word to the coordinator, as a node that loses power. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stopping.abort();
    await running?.done;
  }

  /** It can be reached somewhere else from now on. */
  moveTo(endpoint: string): void {
    this.#endpoint = endpoint;
    this.#running?.agent.report({ endpoints: [endpoint] });
  }

  /** It reports this of itself from now on, until it starts anew. */
  report(report: Report): void {
    this.#running?.agent.report(report);
  }

  async #follow(agent: Agent<ReceivedView>, signal: AbortSignal): Promise<void> {
    try {
      const ending = await agent.run(signal);
      if (ending.reason === 'stopped') return;
      this.#ending = ending;
      this.#running = undefined;
    } catch (error) {
      this.#surroundings.crashed(error);
    }
  }
}
