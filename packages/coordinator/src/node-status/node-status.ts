import type { Applied, AppliedSection, LinkReport, NodeId, Observed, Repair } from '@meshwork/contract';

/** How the packets of a link went, from one end. */
export interface PastWay {
  readonly since_ms: number;
  readonly path: LinkReport['path'];
  readonly relay?: LinkReport['relay'] | undefined;
  readonly via?: LinkReport['via'] | undefined;
  readonly endpoint?: LinkReport['endpoint'] | undefined;
  /** As it was last reported while they went this way. */
  readonly why?: LinkReport['why'] | undefined;
}

export interface SeenLink extends LinkReport {
  readonly observed_ms: number;
  /** When it was first heard that its packets go this way. */
  readonly since_ms: number;
  /** See `past-ways.ts`: how they went before, newest first. Undefined: they always went this way. */
  readonly past: readonly PastWay[] | undefined;
}

/** Repairs that no event has reported yet. */
export interface PendingRepairs {
  readonly count: number;
  readonly last: Repair;
  /** By section, what was found there last. */
  readonly found: ReadonlyMap<AppliedSection, string>;
  /** The last of them, as `repairs.ts` names them. */
  readonly keys: readonly string[];
}

/** What is kept beside the time and the number of a heartbeat: it survives a restart, and other coordinators know of it. */
export interface MarkBody extends Pick<NodeStatus, 'address' | 'clock_skew_s' | 'applied'> {
  readonly boot_id: string;
  readonly relays: Observed['relays'];
  /** Absent in marks of older versions. */
  readonly relay_proofs: Observed['relay_proofs'];
  /** Absent in marks of older versions. */
  readonly serving: readonly string[] | undefined;
  /** Absent in marks of older versions. */
  readonly shown: Readonly<Record<string, string>> | undefined;
}

/** What is known of a node beyond its documents: from its heartbeats, in memory. */
export interface NodeStatus {
  /** In listening time. */
  seen_at: number;
  /** By the wall clock. Undefined: never yet. */
  heartbeat_ms: number | undefined;
  boot_id: string | undefined;
  seq: number;
  address: string | undefined;
  /** How its agent calls the coordinator, with the port: `mesh.example.org:7400`. Undefined: it opened no session here yet. */
  requested_host: string | undefined;
  clock_skew_s: number | undefined;
  /** When the connection of its waiting heartbeat broke, in listening time. Undefined: it sent another one since, or none broke. */
  lost_at: number | undefined;
  /** When it last said what is in effect, in listening time. */
  applied_at: number;
  applied: { [S in AppliedSection]?: Applied };
  /** Since when a section is not as it should be, in listening time. */
  apart_since: { [S in AppliedSection]?: number };
  /** The newest change of what it should be, as of which it was found to be so. */
  in_sync_as_of: number;
  /** Whether this coordinator has received everything that the present boot observes, and not only what changed. */
  reported_all: boolean;
  /** What it may still cost; see `areas/agents/allowance.ts`. */
  readonly allowance: { left: number; at: number };
  /** Whether it was asked to say everything. */
  requested_all: boolean;
  /**
   * When it was last sent everything again because what it has in effect differs from what it was sent; listening time.
   */
  resent_at: number;
  observed: Omit<Observed, 'links' | 'repairs' | 'waf' | 'traffic'>;
  /** Ingresses that it says it serves. Replaced only when they are others. Undefined: it has not said. */
  serving: readonly string[] | undefined;
  /** By ingress, the SHA-256 of the certificate that clients get there. Replaced only when it is another. Undefined: it has not said. */
  shown: Readonly<Record<string, string>> | undefined;
  /** See `repairs.ts`: repairs that no event has reported yet, and those in the last heartbeat that had any. */
  pending_repairs: PendingRepairs | undefined;
  reported_repairs: readonly string[];
  links: Map<NodeId, SeenLink> | undefined;
  /** Those of before it began to report all of them anew, until it has reported each. */
  links_before: Map<NodeId, SeenLink> | undefined;
  /** When another coordinator was last known to have heard it, by our wall clock. Undefined: never. */
  elsewhere_ms: number | undefined;
  /** What was last kept of it, and the text of that; see `mark-body.ts`. */
  written: { readonly body: MarkBody; readonly text: string } | undefined;
}

const NONE: readonly string[] = [];

/** One without a heartbeat since then. */
export function unseen(seen_at: number): NodeStatus {
  return {
    seen_at,
    heartbeat_ms: undefined,
    boot_id: undefined,
    seq: 0,
    address: undefined,
    requested_host: undefined,
    clock_skew_s: undefined,
    lost_at: undefined,
    applied_at: Number.NEGATIVE_INFINITY,
    applied: {},
    apart_since: {},
    in_sync_as_of: -1,
    reported_all: false,
    allowance: { left: Number.POSITIVE_INFINITY, at: seen_at },
    requested_all: false,
    resent_at: 0,
    observed: {},
    serving: undefined,
    shown: undefined,
    pending_repairs: undefined,
    reported_repairs: NONE,
    links: undefined,
    links_before: undefined,
    elsewhere_ms: undefined,
    written: undefined,
  };
}
