import type { AppliedSection } from '@meshwork/contract';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import { missingProgram } from '../../host/lack.ts';
import type { AgentLog } from '../../host/log.ts';
import type { NetlinkProtocol } from '../../host/netlink-child.ts';
import { PathMtus } from '../../host/path-mtus.ts';
import { versionOf } from '../../host/program-version.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import type { Engine, EngineTraits, Heard, OpenEngine, PlanInput, Work } from '../engine.ts';
import { ForeignReport } from '../foreign-report.ts';
import { ForeignRouting } from './foreign-routing.ts';
import { IpNetwork } from './ip-network.ts';
import type { MeshNetwork } from './mesh-network.ts';
import { NarrowPeers } from './narrow-peers.ts';
import { guardedNetwork, NETWORK_PART, networkPlan, ROUTES_PART, StrayPeers } from './network-plan.ts';
import { RouteEvents } from './route-events.ts';

const TRAITS: EngineTraits = {
  name: 'network',
  sections: ['self', 'acl'],
  on_drift: ['self', 'acl'],
  mesh_interface: 'uses',
  parts: [NETWORK_PART, ROUTES_PART],
};

/** Addresses, routes and forwarding of the host, by `ip`. */
export const network: Engine = {
  ...TRAITS,
  lacks: async ({ run }) => {
    const lack = await missingProgram(run, { command: 'ip', version: '-Version', package: 'iproute2' });
    return lack === undefined ? [] : [lack];
  },
  open: async ({ folder, accept_routes, places: { mtus }, log }) => {
    const network = new IpNetwork({ folder });
    return new NetworkEngine({ network, accept_routes, mtus, left: await network.narrowed(), log });
  },
  remove: (folder) => new IpNetwork({ folder }).remove(),
};

interface NetworkEngineOptions {
  readonly network: MeshNetwork;
  readonly accept_routes: AcceptRoutes;
  /** Of paths to peers. Absent: all have the full one. */
  readonly mtus?: PathMtus | undefined;
  /** What an agent before this one made of them. */
  readonly left?: ReadonlyMap<string, number> | undefined;
  readonly log?: Pick<AgentLog, 'warn'> | undefined;
  readonly run?: RunCommand | undefined;
}

export class NetworkEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #options: NetworkEngineOptions;
  readonly #strays = new StrayPeers();
  readonly #narrow: NarrowPeers;
  /** The plan that was last made true. */
  #made: string | undefined;
  readonly #events = new RouteEvents();
  readonly #foreign: ForeignReport;

  constructor(options: NetworkEngineOptions) {
    this.#options = options;
    const { network, accept_routes, mtus = new PathMtus(), left = new Map(), log } = options;
    this.#narrow = new NarrowPeers({ mtus, left, accept_routes, apply: (narrow) => network.narrow(narrow), log });
    this.#foreign = new ForeignReport(new ForeignRouting(options.run ?? runCommand), options.accept_routes);
  }

  async versions() {
    return { iproute2: await versionOf(this.#options.run ?? runCommand, 'ip', ['-V']) };
  }

  /** Most changes of what is allowed leave the routes as they are: those are not even looked at. */
  plan(_section: AppliedSection, input: PlanInput): Work | undefined {
    const wanted = this.#planned(input);
    if (wanted === undefined) return undefined;
    this.#foreign.planned(input.view);
    const narrowed = this.#narrow.heed(input.view);
    const { plan, parts } = guardedNetwork(input.view, wanted, input.guard);
    const text = JSON.stringify(plan);
    if (text === this.#made) return undefined;
    const { network } = this.#options;
    const make = async () => {
      await narrowed;
      await network.apply(plan);
      const left = await network.drift();
      if (left !== null) throw new Error(`the network of this host is not what it should be: ${left}`);
    };
    return async () => {
      await input.guard.put(parts, make);
      this.#made = text;
      return {};
    };
  }

  distrust(): void {
    this.#made = undefined;
  }

  drift(): Promise<string | null> {
    return this.#options.network.drift();
  }

  announced(protocol: NetlinkProtocol, datagram: Buffer | null): readonly Heard[] {
    if (protocol !== 'route' || datagram === null) return [];
    const events = this.#events.take(datagram);
    return [
      ...(events.has('gone') ? [{ kind: 'interface' } as const] : []),
      ...(events.has('mesh') ? [{ kind: 'doubtful' } as const] : []),
      ...(events.size > 0 ? [{ kind: 'foreign', around: events.has('elsewhere') } as const] : []),
    ];
  }

  survey(): Promise<boolean> {
    return this.#foreign.survey();
  }

  observe(extent: 'changes' | 'everything') {
    return this.#foreign.observe(extent);
  }

  async diagnose(input: PlanInput | undefined) {
    const network = input === undefined ? null : (this.#planned(input) ?? null);
    return { accept_routes: this.#options.accept_routes, network };
  }

  #planned({ view, kept_out }: PlanInput) {
    return networkPlan(view, { kept_out, accept: this.#options.accept_routes, strays: this.#strays });
  }
}
