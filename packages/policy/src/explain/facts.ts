import type { Engine } from '../engine/engine.ts';
import type { AgentNeeds } from '../firewall/guard.ts';
import type { Direction, FirewallRule } from '../firewall/rule.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { AcceptRoutes } from '../routes/accept-routes.ts';
import type { Wanted } from './wanted.ts';

/**
 * All that has to be known to answer one question. The caller may see only a part of the mesh, so: nodes outside that part
 * are `missing` as source and destination, are left out of the candidates of a service, and are `hidden` as providers.
 */
export interface ExplainFacts {
  readonly question: {
    /** As asked: a name or an id. */
    readonly from: string;
    /** As asked: a name, an id, `service:NAME` or an address. */
    readonly to: string;
    /** Null: of a service its own port, else `icmp`. */
    readonly port: Wanted | null;
  };
  /** Of the policy in effect, with every member of the mesh in it as it is now. */
  readonly engine: Engine;
  /**
   * Whether the caller may read the whole policy. If not, the answer has no more of it than concerns the nodes that they
   * may see: no notes, not how groups are made up, and no grants of others to networks.
   */
  readonly whole_policy: boolean;
  readonly source: NodeFacts | MissingFacts;
  readonly destination: DestinationFacts | MissingFacts;
}

/** No node has this name, or only a hidden one. */
export interface MissingFacts {
  readonly kind: 'missing';
  /** Names of nodes that may be seen and may have been meant, the likeliest first. */
  readonly near: readonly string[];
}

export type DestinationFacts =
  /** By name, by id, or by one of its addresses in the mesh. */
  | {
      readonly kind: 'node';
      readonly node: NodeFacts;
      /**
       * Asked by address: its family. By name or id: every family that the name resolves to on the source, which is IPv4, and
       * IPv6 when both nodes have such an address.
       */
      readonly families: readonly (4 | 6)[];
      readonly link: LinkFacts;
    }
  | {
      readonly kind: 'service';
      readonly name: string;
      /** Every node that may be seen and says that it offers it. */
      readonly candidates: readonly { readonly node: NodeFacts; readonly link: LinkFacts }[];
      /** Names of services that may have been meant, when there is no candidate. */
      readonly near: readonly string[];
    }
  /** An address that no node has which may be seen. */
  | {
      readonly kind: 'address';
      /** In canonical form. */
      readonly address: string;
      /** It is one of those that the mesh gives to its nodes. */
      readonly in_mesh: boolean;
      /** Who forwards to a network with the address in it now, whether or not the source may go through it. */
      readonly providers: readonly ProviderFacts[];
      /** Who could and does not, of those that may be seen. */
      readonly offers: readonly OfferFacts[];
      /** Another node than the source that has this address in a network that it offers, and may be seen. Absent: none is known. */
      readonly holder?: NodeFacts | undefined;
    };

export interface ProviderFacts {
  readonly node: NodeFacts;
  readonly network: string;
  readonly link: LinkFacts;
  /** It may not be seen: it counts only where a grant leads the source through it, and nothing else about it is shown. */
  readonly hidden: boolean;
  /** The address is one that the provider itself has in the network. Absent: it is not known to be. */
  readonly is_own?: boolean;
}

export interface OfferFacts {
  readonly name: string;
  readonly network: string;
  /** `silent`: its heartbeats are overdue. `standby`: it is fit, and another was chosen or is about to be. */
  readonly why: 'not_approved' | 'silent' | 'not_member' | 'standby';
}

export type NodeState =
  | 'pending'
  | 'joining'
  | 'active'
  | 'stale'
  | 'unreachable'
  | 'draining'
  | 'quarantined'
  | 'removed';

export function isSilent(state: NodeState | undefined): boolean {
  return state === 'stale' || state === 'unreachable';
}

export interface NodeFacts {
  readonly kind: 'node';
  readonly id: string;
  readonly name: string;
  /** In the mesh, without a prefix. */
  readonly address: string;
  /** Null: it has none. */
  readonly address6: string | null;
  readonly state: NodeState;
  /** Since its last heartbeat. Null: there was none. */
  readonly last_seen_s_ago: number | null;
  readonly boundary: PolicyNode['boundary'];
  readonly tags: readonly string[];
  readonly agent_version: string | null;
  readonly applied: Readonly<Record<ExplainedSection, AppliedFacts>>;
  /** The rules that hold on it, in order: see `rulesFor`. */
  readonly firewall: readonly FirewallRule[];
  /** What its mesh interface is called there, as a rule may name it. */
  readonly interface: string;
  readonly services: readonly ServiceFacts[];
  /** Which routes its host takes. Null: its agent does not report that, and takes all of them. */
  readonly accept_routes: AcceptRoutes | null;
  /** Packets that it has dropped because no grant allows them, from all sources. Null: not reported. */
  readonly denied: { readonly in: number; readonly forward: number } | null;
  /** Whether its agent was asked to look just now. Null: its agent does not answer looks (it is older), and heartbeats are what is known. */
  readonly looked: LookFacts | null;
  /** Since when its waiting heartbeat is broken off. Null: it is not. */
  readonly connection_lost_s_ago: number | null;
  /** Rules of other programs on its host. Empty: none, or not reported. */
  readonly foreign: readonly ForeignFacts[];
  /** What its own traffic needs of its host rules. Null: not known. */
  readonly underlay: UnderlayFacts | null;
  /** Its certificate of the mesh CA. Absent: the mesh has none, or its agent keeps no certificates. */
  readonly certificate?: CertificateFacts | undefined;
  /** What programs on its host resolve names of the mesh by. Absent: its agent does not report it. */
  readonly names?: NamesFacts | undefined;
}

interface NamesFacts {
  /** `systemd-resolved`, `resolvconf`, `/etc/resolv.conf`, or `/etc/hosts`. */
  readonly resolver: string;
  /** Why no better one is in use. Absent: it does all that it should. */
  readonly problem?: string | undefined;
}

/** What a node has proven of its certificate, and of the authorities that it checks others by. */
export interface CertificateFacts {
  /**
   * `valid`: the node has it in place. `expired`: the same, and it has. `none`: it has none in place. `revoked`: its last one was, and it has
   * not confirmed another. `unproven`: it has not confirmed which one is in place.
   */
  readonly state: 'valid' | 'expired' | 'none' | 'revoked' | 'unproven';
  /** The authority that signed the one in place. Null: none is, or it is not known. */
  readonly issuer: string | null;
  /** Authorities of a rotation that the node has not proven to trust. */
  readonly unproven_authorities: readonly string[];
}

/** What came of asking an agent how things are right now. */
export type LookFacts =
  | {
      readonly s_ago: number;
      readonly answered: true;
      /** How its packet filter differs from what was applied. Null: it does not. */
      readonly filter: string | null;
      /** By the id of the rule: what it has dropped since it was loaded. Rules that were not asked about are absent. */
      readonly dropped: ReadonlyMap<string, number>;
    }
  | { readonly s_ago: number; readonly answered: false };

/**
 * A rule of another program on a host. A match that is absent does not limit it, as far as the agent understands the rule: a
 * packet that a match excludes is not concerned, and any other may be.
 */
export interface ForeignFacts {
  /** `filter`: may drop or redirect. `route`: may lead elsewhere. `address`: the host has it itself, and keeps its packets. */
  readonly kind: 'filter' | 'route' | 'address';
  readonly direction: Direction;
  /** As the host lists it, with where it stands. */
  readonly text: string;
  /** By which the packets come or go. */
  readonly interface?: string | undefined;
  readonly from?: readonly string[] | undefined;
  readonly to?: readonly string[] | undefined;
  readonly protocol?: 'tcp' | 'udp' | 'icmp' | undefined;
  /** Of the destination: `22` or `8000-8999`. */
  readonly ports?: readonly string[] | undefined;
}

/** How WireGuard's packets get to a node, and what else its agent needs. */
export interface UnderlayFacts {
  /** WireGuard's. */
  readonly port: number;
  /** Where peers may find it, without ports. Empty: not known. */
  readonly addresses: readonly string[];
  readonly needs: AgentNeeds;
}

export interface ServiceFacts {
  readonly name: string;
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** What the node itself found. Absent: it does not check. */
  readonly health?: 'passing' | 'failing' | 'unknown';
}

/** What has to be in effect on a node for the policy to be. The networks it forwards to are in `self`. */
export const EXPLAINED_SECTIONS = ['self', 'peers', 'acl', 'firewall'] as const;
export type ExplainedSection = (typeof EXPLAINED_SECTIONS)[number];

export interface AppliedFacts {
  readonly in_sync: boolean;
  /** Null: not reported. */
  readonly applied_revision: number | null;
  readonly desired_revision: number;
  /** Why no more is in effect, in the words of the node. */
  readonly error: string | null;
  /** How what is in effect differs from what should be. */
  readonly reason: string | null;
}

/** What the source (`near`) and the other end (`far`) report of each other. Null: that end has not reported it. */
export interface LinkFacts {
  readonly near: LinkReport | null;
  readonly far: LinkReport | null;
  /** Where each end takes what is relayed to it. Null: it has no relay. */
  readonly near_relay: RelayFacts | null;
  readonly far_relay: RelayFacts | null;
  /** Where each end can be found. Absent: not known. */
  readonly near_place?: PlaceFacts | undefined;
  readonly far_place?: PlaceFacts | undefined;
  /** The relay that an end uses, where that is not the one assigned to it: its standby. Absent: it is. */
  readonly near_used?: RelayFacts | undefined;
  readonly far_used?: RelayFacts | undefined;
  /** Why packets go through relays, in a sentence. Absent: they do not, or it is not known. */
  readonly why_relayed?: string | undefined;
}

/** Where peers can try to find a node, by the endpoints that it reports. */
export interface PlaceFacts {
  /**
   * `public`: only addresses that are routed everywhere, so no NAT stands before it. `mixed`: such addresses beside private ones,
   * as behind a NAT that was asked, or on a host with both. `private`: none that means anything outside its own network.
   */
  readonly reach: 'public' | 'mixed' | 'private';
  /** Whether its agent can send traffic through relays at all. */
  readonly uses_relays: boolean;
}

export interface LinkReport {
  /** How its packets go to the other end. `idle`: it is not in use. `none`: nothing has come through yet. */
  readonly path: 'direct' | 'relay' | 'idle' | 'none';
  /** Its packets leave by its own relay, on their way to that of the other end. Absent: they do not. */
  readonly by_own_relay?: true;
  /** As of now. Null: there was none. */
  readonly handshake_age_s: number | null;
  /** Of a look: whether a packet came from the other end. Null: it has not looked. */
  readonly heard: { readonly s_ago: number; readonly came: boolean } | null;
  /** Where it sends the other end's packets: `192.0.2.7:51820`. Null: not known. */
  readonly endpoint: string | null;
  /** How it reaches its own relay. Absent: its packets do not leave by it. */
  readonly transport?: 'udp' | 'tcp' | 'tls' | undefined;
  /** To the other end and back. Absent: not known. */
  readonly rtt_ms?: number | undefined;
  /** Endpoints of the other end, best first. Absent: none, or not reported. */
  readonly tried?: readonly TriedFacts[] | undefined;
}

/** An endpoint of the other end, and what became of it. */
export interface TriedFacts {
  readonly endpoint: string;
  /** `silent`: nothing came. `unreachable`: the host has no route there. */
  readonly outcome: 'answered' | 'silent' | 'unreachable';
  readonly rtt_ms?: number | undefined;
}

export interface RelayFacts {
  /** Null: it may not be seen. */
  readonly name: string | null;
  /** Another node lately sent something through it. */
  readonly healthy: boolean;
  /** Its nodes are moved to others. Absent: they are not. */
  readonly draining?: true | undefined;
  /** Of the end whose relay it is, to it and back. Absent: not measured. */
  readonly rtt_ms?: number | undefined;
}
