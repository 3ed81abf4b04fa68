/** What each kind of document holds. `kinds.ts` is the table of the kinds themselves. */
import type {
  Abilities,
  ActorRef,
  AppliedSection,
  FirewallRule,
  NodeId,
  NodeOperationKind,
  NodeOperationState,
  PersonRef,
  RolledBack,
  Scope,
  Service,
  TokenId,
} from '@meshwork/contract';
import type { AcceptRoutes } from '@meshwork/policy';

/** A token at rest. Its state is derived from the times in it (`access/token-state.ts`), never stored. */
export interface TokenDocument {
  readonly name: string;
  readonly scope: Scope;
  readonly role: string;
  readonly expires: string;
  readonly created_at: string;
  /** Who made it or, where it replaces another, who rotated that: who has seen its secret. */
  readonly created_by: ActorRef;
  /** The role of the person who made it. Absent: no person did, or an older version did not say. */
  readonly made_as?: string;
  readonly secret_sha256: string;
  readonly retires_at: string | null;
  readonly rotated_from: TokenId | null;
  readonly rotated_to: TokenId | null;
  readonly revoked_at: string | null;
  /** Nodes it may still enrol. Null, or absent in tokens of older versions: any number. */
  readonly uses_left?: number | null;
  /** Set once others were told that it will expire. */
  readonly expiry_announced?: true;
  /** The person who speaks through it. Null, or absent in tokens of older versions: it speaks for itself. */
  readonly on_behalf_of?: PersonRef | null;
  /** Where that person sits. */
  readonly address?: string | null;
  /** Tags that it may set although its scope does not own them. Absent: none. */
  readonly tags?: readonly GivenTag[];
}

/** A tag that a token may set, by the right of the scope that gave it: what that scope could not set, the token cannot. */
export interface GivenTag {
  readonly tag: string;
  readonly by: Scope;
}

/** A custom role; its id is its name. The built-in ones stand in the contract and are not documents. */
export interface RoleDocument {
  readonly description: string;
  readonly permissions: readonly string[];
}

/** Written once, by the very first start. There is one, `mesh`. */
export interface InstallationDocument {
  readonly created_at: string;
  /** Tells a coordinator that was given another installation's master key. */
  readonly master_key_check: string;
}

/** What a request with an Idempotency-Key was answered, sealed, so that the same request gets the same answer. */
export interface AnswerDocument {
  readonly request_sha256: string;
  readonly sealed: string;
  readonly at_ms: number;
}

/** Who a node is and what somebody decided about it. Its state is derived (`mesh/node-state.ts`). */
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
  readonly removed_at: string | null;
  /** A session of another epoch is void. */
  readonly session_epoch: number;
}

/** What a node says about itself, beyond its keys. Same id as the node. */
export interface ReportDocument {
  readonly endpoints: readonly string[];
  readonly services: readonly Service[];
  readonly routes_offered: readonly string[];
  /** What it offers and no node can have behind it. Absent: nothing. */
  readonly routes_refused?: readonly RefusedRoute[];
  /** Which routes its host takes. Absent: its agent does not say, and takes all. */
  readonly accept_routes?: AcceptRoutes;
  readonly agent_version: string | null;
  /** Absent: its agent has not said, as one of an older version does not. */
  readonly abilities?: Abilities;
  /**
   * The boots of its agent, newest first, a few of them: a heartbeat of one that is not the newest is late. Empty: no
   * heartbeat of the node was ever heard.
   */
  readonly boots: readonly string[];
}

/** A network that an agent offers, and why it is not taken. */
export interface RefusedRoute {
  readonly cidr: string;
  readonly reason: string;
}

/** Same id as the node. Absent: its heartbeat is not overdue. */
export interface LivenessDocument {
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

/** What somebody else last changed on a node, and its agent put back. Same id as the node. Absent: nothing was told. */
export interface RepairDocument {
  /** When the last event told of it; the next one has to wait. */
  readonly told_ms: number;
  /** Of the last of them, by the node's clock. */
  readonly at: string;
  readonly sections: readonly AppliedSection[];
  readonly found: string;
  /** Which the last ones were, so that one that is said again is known, also by another coordinator. */
  readonly known: readonly string[];
}

/** The relay of a node. Same id as the node. Absent: it has none. */
export interface AssignmentDocument {
  readonly relay: string;
  /** Whether the node had measured its way to the relays by then. One that had not is chosen for once more when it has. */
  readonly measured: boolean;
}

/** Who forwards to a network for the nodes of one boundary. `mesh/route-id.ts` makes its id of both. */
export interface RouteDocument {
  readonly boundary: Scope;
  readonly cidr: string;
  readonly provider: NodeId;
}

/** That a network of a boundary overlaps one that is approved in another. Its id is that of the route. */
export interface OverlapDocument {
  readonly boundary: Scope;
  readonly cidr: string;
  readonly since_ms: number;
}

/** Who serves an ingress. Same id as the ingress. */
export interface PlacementDocument {
  readonly gateways: readonly { readonly node: NodeId; readonly draining: boolean }[];
}

/** That a name, an address or a key is taken: `name/git-1`, `address/100.64.0.7`. So that two can never have it. */
export interface ClaimDocument {
  readonly holder: string;
}

/** Where the last node of a name was, kept when that node is forgotten and the policy mentions the name. The id is the name. */
export interface FormerNameDocument {
  readonly boundary: Scope;
  readonly removed_at: string;
}

/** Proofs of a node's identity that were used and have not run out. Same id as the node. */
export interface ProofDocument {
  /** It has proven itself with the id of the mesh as audience, and is not believed without it any more. */
  readonly own_audience?: true;
  readonly used: readonly { readonly jti: string; readonly until_s: number }[];
}

export interface OperationDocument {
  readonly kind: NodeOperationKind;
  readonly node: NodeId;
  readonly node_name: string;
  readonly scope: Scope;
  readonly state: NodeOperationState;
  readonly requested_by: ActorRef;
  readonly requested_at: string;
  /** The revision that asked for it: what a heartbeat must have applied. */
  readonly requested_revision: number;
  readonly deadline_ms: number;
  readonly delivered_at: string | null;
  readonly verified_at: string | null;
  readonly ended_at: string | null;
  readonly reason: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  /** How long the answer of the node is, which is kept elsewhere: see `operations/operation-results.ts`. Absent: there is none. */
  readonly result_bytes?: number;
  /** What to put back when it is cancelled. */
  readonly before: Readonly<
    Partial<Pick<NodeDocument, 'tags' | 'pinned_relay' | 'routes_approved' | 'routes_shared' | 'wireguard_key'>>
  >;
}

/** The id is its name. */
export interface RelayDocument {
  readonly node: NodeId;
  readonly host: string;
  readonly port: number;
  readonly capacity: number;
  readonly draining: boolean;
  readonly created_at: string;
}

export interface IngressDocument {
  readonly name: string;
  readonly hostname: string;
  readonly service: string;
  readonly scope: Scope;
  readonly gateways: readonly string[];
  readonly replicas: number;
  readonly draining: boolean;
  readonly created_at: string;
}

/** The policy in effect. There is one, `mesh`. Absent: that of a new mesh (`mesh/policy-in-effect.ts`). */
export interface PolicyDocument {
  readonly version: number;
  /** As it was written. */
  readonly text: string;
  readonly sha256: string;
  readonly created_at: string;
  readonly created_by: ActorRef;
  readonly note: string | null;
  readonly restored_from: number | null;
  /** Places of the grants that have expired. */
  readonly lapsed: readonly number[];
}

/** The host rules, in order. There is one, `mesh`. Absent: there are none. */
export interface FirewallDocument {
  readonly rules: readonly Omit<FirewallRule, 'position'>[];
}
