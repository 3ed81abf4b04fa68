import { setImmediate } from 'node:timers/promises';
import type { Applied, AppliedSection, HeartbeatReply, NodeRule, Peer } from '@meshwork/contract';
import { Reconciler } from '../src/conversation/reconciler.ts';
import { HostDataPlane } from '../src/data-plane/host-data-plane.ts';
import { GUARDED_PARTS } from '../src/engines/engines.ts';
import { type RollbackEvent, RollbackGuard } from '../src/rollback/rollback-guard.ts';
import type { RollbackState } from '../src/rollback/rollback-state.ts';
import { HeldView } from '../src/view/held-view.ts';
import { ManualClock } from './manual-clock.ts';
import { RecordedEngines } from './recorded-engines.ts';

export const AFTER_S = 60;
const SELF = {
  name: 'fra-2',
  address: '100.64.0.1/32',
  address6: 'fd6d::1/128',
  tags: [],
  state: 'active',
  routes: [],
  networks: ['100.64.0.0/10'],
} as const satisfies HeartbeatReply['self'];

export function peer(name: string, number: number): Peer {
  const [address, address6] = [`100.64.0.${number}/32`, `fd6d::${number}/128`];
  return { id: `node_${name}`, name, wireguard_key: `key-${name}`, address, address6, endpoints: [], relay: null };
}

export function rule(id: string, changes: Partial<NodeRule> = {}): NodeRule {
  return { id, direction: 'out', interface: 'eth0', protocol: 'tcp', action: 'drop', ...changes };
}

/** The first answer, at revision 1. */
export const ALONE: HeartbeatReply = {
  revision: 1,
  next_s: 0,
  self: { ...SELF, tags: [], routes: [], networks: [...SELF.networks] },
  peers: { full: [] },
  acl: { full: [] },
  firewall: [],
  relay: null,
  ingress: [],
};

interface Options {
  readonly state?: RollbackState | undefined;
  /** What an agent before this one held. */
  readonly restored?: HeartbeatReply | undefined;
  readonly clock?: ManualClock;
}

/** A node without sockets: its engines write down what they get, and `isCut` says whether that would cut it off. */
export class GuardedNode {
  readonly clock: ManualClock;
  readonly engines = new RecordedEngines();
  readonly view = new HeldView();
  readonly reported = new Map<AppliedSection, Applied>();
  readonly events: RollbackEvent[] = [];
  readonly guard: RollbackGuard;
  saved: RollbackState | undefined;
  /** How often a change asked for its proof. */
  tries = 0;
  isCut: (engines: RecordedEngines) => boolean = () => false;
  /** The coordinator's process, and the machine that it runs on. */
  answers = true;
  isOn = true;
  readonly #reconciler: Reconciler<HeldView>;

  constructor({ state, restored, clock = new ManualClock() }: Options = {}) {
    this.clock = clock;
    this.saved = state;
    this.guard = new RollbackGuard({
      after_s: AFTER_S,
      clock,
      parts: GUARDED_PARTS,
      state,
      restored: restored !== undefined,
      reachable: async () => this.#reaches(),
      save: (saved) => {
        this.saved = JSON.parse(JSON.stringify(saved)) as RollbackState;
      },
      reapply: (sections) => plane.reapply(sections),
      tried: () => {
        this.tries += 1;
      },
      returned: () => undefined,
      note: (event) => void this.events.push(event),
    });
    const now = () => clock.now();
    const engines = this.engines.on({ offered: ['10.20.0.0/16'], coordinators: ['mesh.example.org'], now });
    const plane = new HostDataPlane({ engines, guard: this.guard, keptOut: () => [], relays: () => [], now });
    this.#reconciler = new Reconciler(plane, this.view, (section, applied) => void this.reported.set(section, applied));
    plane.onChange((sections) => void this.#reconciler.reconcile(sections));
  }

  /** What a heartbeat brings, or what a start begins with. */
  async receive(reply: HeartbeatReply): Promise<void> {
    await this.#reconciler.reconcile(this.view.take(reply));
  }

  /** One heartbeat, which may be lost. Says whether it was answered. */
  async beat(): Promise<boolean> {
    const ticket = this.guard.ticket();
    if (!this.answers || !this.#reaches()) return false;
    this.guard.answered(ticket);
    await this.settle();
    return true;
  }

  async pass(seconds: number): Promise<void> {
    await this.clock.pass(seconds * 1000);
    await this.settle();
  }

  /** Until what the guard asked for is done: engines that only write down need no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  }

  #reaches(): boolean {
    return this.isOn && !this.isCut(this.engines);
  }
}
