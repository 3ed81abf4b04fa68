import type { AgentObserver } from '@meshwork/agent';
import { SECTION_NAMES } from '@meshwork/contract';
import type { SimulatedNode } from './simulated-node.ts';

/** Ours: when a node of the fleet thinks that the coordinator must call it stale, by the usual settings. */
const STALE_AFTER_MS = 45_000;

export interface FleetStats {
  readonly nodes: number;
  /** Stopped by the fleet. */
  readonly silent: number;
  /** Ended by themselves: removed, for one. */
  readonly ended: number;
  readonly connected: number;
  readonly retrying: number;
  /** Those whose own section says so. */
  readonly active: number;
  /** Running, but not answered for so long that the coordinator must call them stale. */
  readonly stale: number;
  readonly faulty: number;
  /** Peers that all nodes hold together. */
  readonly peers: number;
  /** The oldest and the newest revision that a connected node holds, and how far they are apart. */
  readonly revision: { readonly lowest: number; readonly highest: number; readonly lag: number };
  /** Since the fleet was started: */
  readonly answers: number;
  /** Answers that brought something. */
  readonly deliveries: number;
  /** Heartbeats that were overtaken by news of their own node. */
  readonly superseded: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly crashes: number;
}

/** Counts what happens to all agents of a fleet. */
export class FleetCounter {
  readonly #now: () => number;
  readonly #byId: ReadonlyMap<string, SimulatedNode>;
  readonly #errors = new Map<string, number>();
  #answers = 0;
  #deliveries = 0;
  #superseded = 0;
  #crashes = 0;

  constructor(byId: ReadonlyMap<string, SimulatedNode>, now: () => number) {
    this.#byId = byId;
    this.#now = now;
  }

  readonly observer: AgentObserver = {
    answered: (id, reply) => {
      this.#heard(id);
      this.#answers += 1;
      if (SECTION_NAMES.some((section) => reply[section] !== undefined)) this.#deliveries += 1;
    },
    superseded: (id) => {
      this.#heard(id);
      this.#superseded += 1;
    },
    failed: (_, error) => {
      const { code, reason } = error as { readonly code?: string; readonly reason?: string };
      const name = code ?? reason ?? 'fault';
      this.#errors.set(name, (this.#errors.get(name) ?? 0) + 1);
    },
  };

  #heard(id: string): void {
    const node = this.#byId.get(id);
    if (node !== undefined) node.answered_at_ms = this.#now();
  }

  crashed(): void {
    this.#crashes += 1;
  }

  stats(): FleetStats {
    const nodes = [...this.#byId.values()];
    const count = (is: (node: SimulatedNode) => boolean) => nodes.filter(is).length;
    const connected = nodes.filter(({ status }) => status?.state === 'connected');
    const revisions = connected.map(({ revision }) => revision);
    const highest = revisions.reduce((most, revision) => Math.max(most, revision), 0);
    const lowest = revisions.reduce((least, revision) => Math.min(least, revision), highest);
    const overdue = this.#now() - STALE_AFTER_MS;
    return {
      nodes: nodes.length,
      silent: count(({ running, ending }) => !running && ending === undefined),
      ended: count(({ ending }) => ending !== undefined),
      connected: connected.length,
      retrying: count(({ status }) => status?.state === 'retrying'),
      active: connected.filter(({ self }) => self?.state === 'active').length,
      stale: count(({ running, answered_at_ms }) => running && answered_at_ms > 0 && answered_at_ms < overdue),
      faulty: count(({ plane }) => plane.fault !== undefined),
      peers: nodes.reduce((sum, { peers }) => sum + peers, 0),
      revision: { lowest, highest, lag: highest - lowest },
      answers: this.#answers,
      deliveries: this.#deliveries,
      superseded: this.#superseded,
      errors: Object.fromEntries(this.#errors),
      crashes: this.#crashes,
    };
  }
}
