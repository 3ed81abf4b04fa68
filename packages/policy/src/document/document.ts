/** A policy, as people write it: who may reach what. Everything that no grant allows is denied. */
export interface PolicyDocument {
  /**
   * By name, the selectors of those who belong: `*`, `tag:role:dev`, `node:bastion-1`, `scope:platform/git/production`
   * (each part may be `*`), `group:developers`. A node that matches one of them belongs.
   */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly grants: readonly Grant[];
  readonly tests: readonly PolicyTest[];
  /** Whether the peers of a node whose heartbeat is overdue keep it, or drop it until its next heartbeat. */
  readonly stale: 'keep' | 'drop';
  /**
   * Who may put a tag on a node, or give a node a name. Keys are `tag:role:dba`, `tag:role:*` and `node:bastion-1`; owners are
   * scopes (`scope:beta/git/production`, each part may be `*`) and groups of scopes (`group:teams`). Absent: no entries.
   */
  readonly tag_owners?: Owners;
  /** Who may use a host name for an ingress. Keys are `shop.example.com`, `*.beta.example.com` and `*`. Absent: no entries. */
  readonly domain_owners?: Owners;
}

export type Owners = Readonly<Record<string, readonly string[]>>;

export interface Grant {
  /** Name of a group. */
  readonly from: string;
  /** Name of a group, or a network behind the mesh: `10.20.0.0/16`. */
  readonly to: string;
  /** `tcp:22`, `udp:53`, `tcp:8000-8999`, `tcp:*`, `icmp` (of IPv6 too), `*`. */
  readonly allow: readonly string[];
  /** With a network: the group whose members may forward to it. Absent: any node that forwards to it. */
  readonly via?: string;
  /** Holds only between nodes of the same team, surface and environment. */
  readonly within?: 'boundary';
  /** What has to be true of the source. All of it. */
  readonly when?: Conditions;
  /** From then on it counts for nothing. */
  readonly expires?: string;
  /** For people. */
  readonly note?: string;
}

export interface Conditions {
  /** Its heartbeats are on time. */
  readonly fresh?: true;
  /** Its agent is at least of this version. */
  readonly agent_version?: string;
  /** It has this tag. */
  readonly tag?: string;
}

/** What must and must not be possible. A policy whose tests fail is refused. */
export interface PolicyTest {
  /** Name of a node, or `group:<name>` for every member. */
  readonly from: string;
  /** `git-1:tcp:22`, `group:git-servers:tcp:22`, `10.20.1.1:tcp:443`, `[fd00::1]:tcp:443`, `git-1:icmp`. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}
