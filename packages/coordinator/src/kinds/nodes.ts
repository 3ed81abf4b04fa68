import type {
  Abilities,
  ActorRef,
  AppliedSection,
  GatewayFront,
  HostNames,
  NatMapping,
  RelayedPlace,
  RolledBack,
  Scope,
  Service,
  WholeSection,
} from '@meshwork/contract';
import type { AcceptRoutes } from '@meshwork/policy';
import type { DrainDeadline } from './ingress.ts';
import type { KindRows } from './kind-row.ts';

/** Who a node is and what was decided about it. Its state is derived (`mesh/node-state.ts`). */
export interface NodeDocument {
  readonly name: string;
  readonly identity_key: string;
  readonly wireguard_key: string;
  readonly tags: readonly string[];
  /** Without prefix length. */
  readonly address: string;
  readonly address6: string;
  readonly routes_approved: readonly string[];
  /** Those of them that are for the whole mesh. Absent in documents of older versions: see `mesh/shared-routes.ts`. */
  readonly routes_shared?: readonly string[];
  readonly pinned_relay: string | null;
  readonly created_at: string;
  readonly created_by: ActorRef;
  /** Null: pending. */
  readonly approved_at: string | null;
  readonly quarantined: { readonly at: string; readonly reason: string | null } | null;
  readonly draining_since: string | null;
  /** Of that drain. Absent or null: it has none. */
  readonly drain_deadline?: DrainDeadline | null;
  readonly removed_at: string | null;
  /** A session of another epoch is void. */
  readonly session_epoch: number;
}

/** What a node says about itself, beyond its keys. Same id as the node. */
export interface ReportDocument {
  readonly endpoints: readonly string[];
  /** Where it receives through relays, its own relay first. Absent: its agent does not send through relays. */
  readonly relayed?: readonly RelayedPlace[];
  /** Absent: its agent does not say. */
  readonly nat?: NatMapping;
  /** How names are resolved on its host. Absent: its agent does not say. */
  readonly names?: HostNames;
  readonly services: readonly Service[];
  readonly routes_offered: readonly string[];
  /** What it offers and no node can have behind it. Absent: nothing. */
  readonly routes_refused?: readonly RefusedRoute[];
  /** Which routes its host takes. Absent: its agent does not say, and takes all. */
  readonly accept_routes?: AcceptRoutes;
  readonly agent_version: string | null;
  /** Absent: its agent has not said, as one of an older version does not. */
  readonly abilities?: Abilities;
  /** How it takes connections as a gateway. Absent: it is none, or its agent does not say. */
  readonly gateway_front?: GatewayFront;
  /**
   * The boots of its agent, newest first, a few of them: a heartbeat of one that is not the newest is late. Empty: the
   * node has not sent a heartbeat yet.
   */
  readonly boots: readonly string[];
}

/** A network that an agent offers, and why it is not taken. */
export interface RefusedRoute {
  readonly cidr: string;
  readonly reason: string;
}

/** Same id as the node. Absent: its heartbeat is not overdue. */
interface LivenessDocument {
  readonly state: 'stale' | 'unreachable';
  readonly since: string;
}

/** Same id as the node. Absent: it is what it should be. */
export interface DriftDocument {
  readonly since: string;
  /** By section: since when, and how. */
  readonly sections: Readonly<Record<string, { readonly since: string; readonly reason: string }>>;
}

/** What a node rolled back, because it was cut off by it. Same id as the node. Absent: nothing. */
export interface RollbackDocument {
  readonly sections: Readonly<Partial<Record<AppliedSection, RolledBack>>>;
}

/** What another program last changed on a node, and its agent put back. Same id as the node. Absent: nothing was reported. */
export interface RepairDocument {
  /** When the last event reported repairs; the next one has to wait. */
  readonly told_ms: number;
  /** Of the last of them, by the node's clock. */
  readonly at: string;
  readonly sections: readonly AppliedSection[];
  readonly found: string;
  /** The last ones, so that one that is reported again is recognised, also by another coordinator. */
  readonly known: readonly string[];
}

/**
 * Which moment the sections of a node are of that time alone changes, by section. Same id as the node. Absent, or a section
 * that is not in it: the moment when the node was made.
 */
interface SectionTimeDocument {
  readonly sections: Readonly<Partial<Record<WholeSection, number>>>;
}

/** That a name, an address or a key is taken: `name/git-1`, `address/100.64.0.7`. So that two can never have it. */
interface ClaimDocument {
  readonly holder: string;
}

/** Where the last node of a name was, kept when that node is forgotten and the policy mentions the name. The id is the name. */
interface FormerNameDocument {
  readonly boundary: Scope;
  readonly removed_at: string;
}

/** Proofs of a node's identity that were used and have not run out. Same id as the node. */
interface ProofDocument {
  /** It has proven itself with the id of the mesh as audience, and is not believed without it any more. */
  readonly own_audience?: true;
  readonly used: readonly { readonly jti: string; readonly until_s: number }[];
}

export interface NodeDocuments {
  readonly node: NodeDocument;
  readonly report: ReportDocument;
  readonly liveness: LivenessDocument;
  readonly drift: DriftDocument;
  readonly repair: RepairDocument;
  readonly rollback: RollbackDocument;
  readonly section_time: SectionTimeDocument;
  readonly claim: ClaimDocument;
  readonly former_name: FormerNameDocument;
  readonly proof: ProofDocument;
}

export const nodeKinds: KindRows<NodeDocuments> = {
  node: { audited: true, secret: [], restorable: false },
  report: { audited: false, secret: [], restorable: false },
  liveness: { audited: false, secret: [], restorable: false },
  drift: { audited: false, secret: [], restorable: false },
  repair: { audited: false, secret: [], restorable: false },
  rollback: { audited: false, secret: [], restorable: false },
  section_time: { audited: false, secret: [], restorable: false },
  claim: { audited: false, secret: [], restorable: false },
  former_name: { audited: false, secret: [], restorable: false },
  proof: { audited: false, secret: [], restorable: false },
};
