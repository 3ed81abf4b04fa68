import { createClient } from '@meshwork/client';
import type { AppliedSection, HeartbeatReply } from '@meshwork/contract';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import { systemClock } from '@meshwork/time';
import { Agent } from './conversation/agent.ts';
import type { AgentStatus, Ending } from './conversation/status.ts';
import { HostDataPlane } from './data-plane/host-data-plane.ts';
import { Listening } from './data-plane/listening.ts';
import type { OpenEngines } from './data-plane/open-engines.ts';
import { Watch } from './data-plane/watch.ts';
import { EndpointFinder } from './endpoints/endpoint-finder.ts';
import { GUARDED_PARTS } from './engines/engines.ts';
import { AgentHealth } from './health/agent-health.ts';
import { AgentMetrics } from './health/agent-metrics.ts';
import type { AgentLog } from './host/log.ts';
import type { NetlinkProtocol } from './host/netlink-child.ts';
import type { PeerPlaces } from './host/peer-places.ts';
import { wayOutEvents } from './host/way-out-events.ts';
import { HostWatch } from './host-watch.ts';
import { identityKeyOf } from './identity/keys.ts';
import type { EnrolledIdentity } from './identity/saved-identity.ts';
import { tlsOf } from './identity/trust.ts';
import type { WireguardKey } from './identity/wireguard-key.ts';
import { messageOf } from './message-of.ts';
import { Prober } from './probes/prober.ts';
import { NodeRelays } from './relays/node-relays.ts';
import { openGuard, type RollbackStore } from './rollback/open-guard.ts';
import type { RollbackGuard } from './rollback/rollback-guard.ts';
import { withoutPrefix } from './view/chosen-routes.ts';
import { HeldView } from './view/held-view.ts';
import { snapshotOf } from './view/snapshot.ts';
import { LeanFetch } from './wire/lean-fetch.ts';

interface NodeAgentOptions extends OpenEngines {
  readonly identity: EnrolledIdentity;
  readonly key: WireguardKey;
  /** What the agent before this one held. Absent: nothing is known. */
  readonly restored: HeartbeatReply | undefined;
  /** What earlier starts have proven and refused. */
  readonly rollbacks: RollbackStore;
  /** How long a change may go without an answered heartbeat. 0: for ever. */
  readonly rollback_after_s: number;
  /** Whether flows are tried and watched at the request of the coordinator. */
  readonly probe_flows: boolean;
  /** WireGuard's. */
  readonly port: number;
  readonly accept_routes: AcceptRoutes;
  readonly places: PeerPlaces;
  readonly version: string;
  readonly log: AgentLog;
  /** The node has these addresses in the mesh now. */
  readonly addressed: (addresses: readonly string[]) => void;
  /** Saves the id of the mesh with the identity. */
  readonly keepAudience: (audience: string) => Promise<void>;
  /** Has what is held saved, so that the next agent can begin with it. */
  readonly save: (snapshot: () => HeartbeatReply | undefined) => void;
}

const clock = systemClock;
const now = () => clock.now();

/** An agent with everything around it that a host needs: one start of it. */
export class NodeAgent {
  readonly health: AgentHealth;
  readonly metrics: AgentMetrics;
  readonly #options: NodeAgentOptions;
  readonly #agent: Agent;
  readonly #plane: HostDataPlane;
  readonly #watch: Watch;
  readonly #prober: Prober;
  readonly #listening: Listening;
  readonly #finder: EndpointFinder;
  readonly #relays: NodeRelays;
  readonly #host: HostWatch;
  readonly #lean: LeanFetch;
  readonly #guard: RollbackGuard | undefined;
  /** Where the coordinators were when one last answered. */
  #answeredFrom: readonly string[] = [];
  readonly #failed = (error: unknown) => this.#options.log.warn(messageOf(error));

  constructor(options: NodeAgentOptions) {
    const { identity, version, restored, port } = options;
    this.#options = options;
    this.#host = this.#makeHostWatch();
    const carried = () => this.#host.abilities.sections;
    this.health = new AgentHealth({ ...identity.enrolled, version, carried }, now);
    this.metrics = new AgentMetrics(this.health, now);
    this.#lean = new LeanFetch(tlsOf(identity.trust));
    this.#finder = new EndpointFinder({ port, changed: (endpoints) => this.#moved(endpoints) });
    this.#relays = new NodeRelays({
      finder: this.#finder,
      roots: () => this.#agent.view.sections.trust?.roots ?? [],
      changed: () => this.#plane.news(),
    });
    this.#guard = this.#makeGuard();
    this.#plane = this.#makePlane();
    const { probe_flows: flows, log } = options;
    this.#prober = new Prober({
      plane: this.#plane,
      settled: () => this.#agent.settled,
      addresses: () => this.#addresses(),
      flows,
      engines: options.engines.flatMap(({ prober }) => prober ?? []),
      log,
    });
    this.#listening = new Listening({
      plane: this.#plane,
      clock,
      failed: this.#failed,
      heard: (protocol, datagram) => this.#heard(protocol, datagram),
    });
    const hears = () => this.#listening.hears;
    this.#watch = new Watch({ plane: this.#plane, clock, hears, failed: this.#failed });
    this.#agent = this.#makeAgent();
    this.health.of({ agent: this.#agent, plane: this.#plane, finder: this.#finder });
    if (restored !== undefined) this.#heed(restored);
  }

  #makeHostWatch(): HostWatch {
    const { engines, abilities, identity } = this.#options;
    return new HostWatch({
      engines,
      abilities,
      coordinators: identity.coordinators,
      relays: () => this.#relays.hosts,
      services: identity.wish.services,
      addresses: () => this.#addresses(),
      clock,
      offers: (services) => this.#agent.report({ services }),
      carries: (carried) => this.#agent.report({ abilities: { ...carried, probes: this.#prober.kinds } }),
      reapply: (sections) => this.#plane.reapply(sections),
      failed: this.#failed,
    });
  }

  #makeGuard(): RollbackGuard | undefined {
    const { identity, restored, rollbacks: store, rollback_after_s: after_s, log } = this.#options;
    return openGuard({
      after_s,
      clock,
      parts: GUARDED_PARTS,
      store,
      restored: restored !== undefined,
      coordinators: identity.coordinators,
      known: () => this.#answeredFrom,
      reapply: (sections) => this.#plane.reapply(sections),
      tried: () => {
        this.#lean.refresh();
        this.#agent.prove();
      },
      returned: () => {
        this.#lean.drop();
        this.#agent.hurry();
      },
      log,
      counted: ({ kind, parts }) => kind === 'rolled_back' && this.metrics.rolledBack(parts),
    });
  }

  #makePlane(): HostDataPlane {
    const { engines, log } = this.#options;
    return new HostDataPlane(
      {
        engines,
        keptOut: () => this.#host.outside,
        guard: this.#guard,
        relays: () => this.#relays.measured,
        proofs: () => this.#relays.proofs,
        now,
      },
      {
        applied: (engine, took_ms, error) => {
          this.metrics.applied(engine, took_ms, error);
          this.#watch.changed();
          if (error !== undefined) log.error(messageOf(error), { engine });
        },
        repaired: (section, found) => {
          this.metrics.repaired(section);
          log.warn('another program changed what the agent manages; putting it back', { section, found });
        },
      },
    );
  }

  #makeAgent(): Agent {
    const { identity, key, restored, version, abilities, accept_routes, log } = this.#options;
    const { enrolled, private_key, coordinators, wish } = identity;
    const [first, ...others] = coordinators;
    const client = (url: string) => createClient({ url, fetch: this.#lean.fetch, clock, user_agent: 'mesh-agent' });
    return new Agent({
      identity: { node: enrolled.node, key: identityKeyOf(private_key), audience: enrolled.audience },
      learned: (audience) => this.#learned(audience),
      coordinators: [client(first), ...others.map(client)],
      view: new HeldView(),
      data_plane: this.#plane,
      report: {
        agent_version: version,
        abilities: { ...abilities, probes: this.#prober.kinds },
        wireguard_key: key.current.public,
        services: wish.services,
        routes: wish.routes,
        accept_routes,
      },
      clock,
      random: Math.random,
      interval_s: enrolled.interval_s,
      restored,
      probation: this.#guard,
      prober: this.#prober,
      observer: {
        answered: (_, reply) => this.#answered(reply),
        held: () => this.#plane.heed(this.#agent.view),
        superseded: () => this.health.superseded(),
        failed: (_, error) => this.#heartbeatFailed(error),
        status: (node, status) => this.#statusChanged(node, status),
        applied: (node, section, applied) => {
          this.health.applied(node, section, applied);
          if (section === 'self' && applied.error === undefined) this.#options.addressed(this.#addresses());
        },
        leftOut: (_, members) => {
          log.warn('the coordinator is older than this agent and does not know all that it reports', { members });
        },
        seen: (_, address) => this.#finder.setSeenAs(address),
      },
    });
  }

  /** On disk before it is used: after a restart the node has to know it. */
  async #learned(audience: string): Promise<void> {
    try {
      await this.#options.keepAudience(audience);
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  async run(signal: AbortSignal): Promise<Ending> {
    const ended = new AbortController();
    const both = AbortSignal.any([signal, ended.signal]);
    await this.#host.lookOutside();
    await this.#finder.probeBeforeStart(); // only now is WireGuard's port free, unless it is running already
    this.#agent.report({ endpoints: [...this.#finder.endpoints] });
    // The agent before this one may have been killed between two keys. If this fails, `self` fails for the same reason and is reported.
    if (this.#options.restored !== undefined) await this.#plane.resume().catch(this.#failed);
    this.#plane.heed(this.#agent.view);
    await this.#prober.start().catch(this.#failed); // what is left of an earlier start decides about nothing
    this.#finder.start();
    const beside = [this.#watch.run(both), this.#listening.run(both), this.#host.run(both)];
    try {
      const ending = await this.#agent.run(signal);
      if (ending.reason === 'removed') await this.#leave();
      return ending;
    } finally {
      ended.abort();
      this.#guard?.stop();
      this.#relays.stop();
      await Promise.all([...beside, this.#finder.stop(), this.#prober.stop()]);
      this.#lean.close();
    }
  }

  async #leave(): Promise<void> {
    for (const engine of this.#options.engines) await engine.left?.().catch(this.#failed);
  }

  /** Something that these sections depend on is not any more what it was. */
  reapply(sections: readonly AppliedSection[]): void {
    this.#plane.reapply(sections);
  }

  /** How links do is another matter now. */
  news(): void {
    this.#watch.changed();
    this.#plane.news();
  }

  /** A NAT shows WireGuard's port at these endpoints. */
  mapped(endpoints: readonly string[]): void {
    this.#finder.setMapped(endpoints);
  }

  /** The router passes what comes to this endpoint on to WireGuard's port. */
  forwarded(endpoint: string | null): void {
    this.#finder.setForwarded(endpoint);
  }

  /** An engine has lost what it made. */
  lost(engine: string, found: string): void {
    this.#plane.lost(engine, found);
  }

  #answered(reply: HeartbeatReply): void {
    this.health.answered();
    this.#answeredFrom = this.#host.outside;
    this.#heed(reply);
    const { probes: _, ...kept } = reply; // about now, and never saved
    if (Object.keys(kept).length > BARE_FIELDS) this.#options.save(() => snapshotOf(this.#agent.view));
  }

  /** What an answer means beside what the data plane does with it. */
  #heed(reply: HeartbeatReply): void {
    try {
      if (reply.self !== undefined) this.#finder.setMesh(reply.self.networks);
      this.#relays.heed(reply);
    } catch (error) {
      this.#failed(error); // what cannot be understood is reported by its section, and is no reason to end
    }
  }

  /** Null: something was not heard, and may have been an address. */
  #heard(protocol: NetlinkProtocol, datagram: Buffer | null): void {
    if (protocol !== 'route') return;
    if (datagram === null) this.#finder.hostChanged('address');
    else for (const { kind } of wayOutEvents(datagram)) this.#finder.hostChanged(kind);
  }

  /** A node whose own addresses changed may also be seen at another one. */
  #moved(endpoints: readonly string[]): void {
    this.#options.places.own = endpoints;
    this.#agent.report({ endpoints: [...endpoints] });
    this.#agent.moved();
  }

  #heartbeatFailed(error: unknown): void {
    this.health.failed();
    this.#options.log.debug(`a heartbeat failed: ${messageOf(error)}`);
  }

  #statusChanged(node: string, status: AgentStatus): void {
    this.health.status(node, status);
    const { log } = this.#options;
    if (status.state === 'retrying') log.warn(`no coordinator: ${status.detail}`, { problem: status.problem });
    else log.info(status.state === 'ended' ? `ended: ${status.detail}` : status.state);
  }

  /** In the mesh. Empty: not known yet. */
  #addresses(): string[] {
    const { self } = this.#agent.view.sections;
    return self === undefined ? [] : [self.address, self.address6].map(withoutPrefix);
  }
}

/** `revision` and `next_s`: an answer without more brings nothing. */
const BARE_FIELDS = 2;
