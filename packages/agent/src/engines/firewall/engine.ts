import type { AppliedSection, Observed } from '@meshwork/contract';
import { NODE_TABLE } from '@meshwork/contract/vocabulary';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import { missingProgram } from '../../host/lack.ts';
import type { NetlinkProtocol } from '../../host/netlink-child.ts';
import { seesGlobalPids } from '../../host/pid-namespace.ts';
import { versionOf } from '../../host/program-version.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { messageOf } from '../../message-of.ts';
import { changedSince, type Mark, markOf } from '../../view/changes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { Engine, EngineTraits, Heard, OpenEngine, PlanInput, Work } from '../engine.ts';
import { ForeignReport } from '../foreign-report.ts';
import { EGRESS_PART, guardedRules } from './egress.ts';
import { firewallInput, peersChange, tableFrame, uninvited } from './firewall-input.ts';
import { isSideTable } from './foreign-chains.ts';
import { ForeignTables } from './foreign-tables.ts';
import { NftEvents } from './nft-events.ts';
import { NftFirewall } from './nft-firewall.ts';
import type { FirewallChange, NodeFirewall } from './node-firewall.ts';

const TRAITS: EngineTraits = {
  name: 'firewall',
  sections: ['self', 'peers', 'acl', 'firewall'],
  on_drift: ['firewall', 'acl'],
  parts: [EGRESS_PART],
};

/** What the policy and the host rules let pass, by nftables. */
export const firewall: Engine = {
  ...TRAITS,
  lacks: async ({ run }) => {
    const lack = await missingProgram(run, { command: 'nft', version: '--version', package: 'nftables' });
    return lack === undefined ? [] : [lack];
  },
  open: async ({ offered, accept_routes }) =>
    new FirewallEngine({ firewall: new NftFirewall(), offered, accept_routes }),
  remove: () => new NftFirewall().remove(),
};

/** Ours: how often what was denied is read. */
const COUNT_EVERY_MS = 60_000;
/** Ours: reading it takes at most this share of the time, where there are so many peers that it does take time. */
const COUNTING_SHARE = 1 / 20;

interface FirewallEngineOptions {
  readonly firewall: NodeFirewall;
  readonly offered: readonly string[];
  readonly accept_routes: AcceptRoutes;
  readonly run?: RunCommand | undefined;
  /** Milliseconds from anywhere, never set back. Absent: since the start. */
  readonly ticks?: (() => number) | undefined;
}

/** What the table was last made of. */
interface Loaded {
  readonly mark: Mark;
  readonly frame: string;
}

export class FirewallEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #options: FirewallEngineOptions;
  /** Undefined: not known. */
  #loaded: Loaded | undefined;
  #denied: Observed['denied'];
  #countAt = Number.NEGATIVE_INFINITY;
  readonly #events = new NftEvents(NODE_TABLE, isSideTable);
  readonly #foreign: ForeignReport;

  constructor(options: FirewallEngineOptions) {
    this.#options = options;
    this.#foreign = new ForeignReport(new ForeignTables(options.run ?? runCommand), options.accept_routes);
  }

  async versions() {
    return { nftables: await versionOf(this.#options.run ?? runCommand, 'nft', ['--version']) };
  }

  plan(_section: AppliedSection, { view, guard }: PlanInput): Work | undefined {
    const { firewall, offered } = this.#options;
    const [stranger] = uninvited(view, offered);
    if (stranger !== undefined)
      throw new Error(`the coordinator requests forwarding to ${stranger}, which this host does not offer`);
    this.#foreign.planned(view);
    const { plan: rules, parts } = guardedRules(view, guard);
    const frame = tableFrame(view, rules);
    const loaded = { mark: markOf(view), frame: JSON.stringify(frame) };
    const change = this.#changeTo(loaded, view);
    if (change !== undefined && change.before.length + change.after.length === 0) {
      this.#loaded = loaded;
      return undefined;
    }
    const whole = change === undefined ? firewallInput(view, rules) : undefined;
    const known = this.#loaded;
    const load = async () => {
      // What was found to be wrong while this waited for its turn is put right with it.
      const isKnown = change !== undefined && this.#loaded === known;
      if (isKnown && (await firewall.change({ frame, ...change }))) return;
      await firewall.apply(whole ?? firewallInput(view, rules));
    };
    return async () => {
      await guard.put(parts, load);
      this.#loaded = loaded;
      return {};
    };
  }

  distrust(): void {
    this.#loaded = undefined;
  }

  drift(): Promise<string | null> {
    return this.#options.firewall.drift();
  }

  async look(): Promise<boolean> {
    const { firewall, ticks = () => performance.now() } = this.#options;
    const from = ticks();
    if (from < this.#countAt) return false;
    this.#denied = await firewall.denied();
    const now = ticks();
    this.#countAt = now + Math.max(COUNT_EVERY_MS, (now - from) / COUNTING_SHARE);
    return false;
  }

  /** Where processes have other numbers than the kernel calls them by, our own changes cannot be distinguished from those of others. */
  announced(protocol: NetlinkProtocol, datagram: Buffer | null): readonly Heard[] {
    if (protocol !== 'netfilter') return [];
    if (datagram === null) this.#events.forget();
    const { firewall } = this.#options;
    return this.#events.take(datagram ?? Buffer.alloc(0)).flatMap(({ by, pid, ours, elsewhere }): Heard[] => {
      if (firewall.isOwn(pid)) return [];
      const foreign: Heard[] = elsewhere ? [{ kind: 'foreign' }] : [];
      if (ours === undefined) return foreign;
      if (!seesGlobalPids()) return [{ kind: 'doubtful' }, ...foreign];
      firewall.distrust();
      return [{ kind: 'changed', found: `${by} ${ours}` }, ...foreign];
    });
  }

  survey(): Promise<boolean> {
    return this.#foreign.survey();
  }

  observe(extent: 'changes' | 'everything') {
    return { ...(this.#denied === undefined ? {} : { denied: this.#denied }), ...this.#foreign.observe(extent) };
  }

  health() {
    return this.#denied === undefined ? {} : { denied: this.#denied };
  }

  async diagnose(input: PlanInput | undefined) {
    const denied = await this.#options.firewall.denied().catch((error: unknown) => `not known: ${messageOf(error)}`);
    return { host_rules: input?.view.sections.firewall?.length ?? 0, denied };
  }

  /** Undefined: everything may have changed. */
  #changeTo({ frame }: Loaded, view: HeldView): Omit<FirewallChange, 'frame'> | undefined {
    const changes = this.#loaded?.frame === frame ? changedSince(view, this.#loaded.mark) : undefined;
    return changes === undefined ? undefined : peersChange(view, changes);
  }
}
