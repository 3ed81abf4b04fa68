import type { NatKind } from './nat-kinds.ts';

/** A lab as an operator describes it. `lab-plan.ts` resolves it. */
export interface LabSpec {
  /** Letters and digits. It is part of the name of everything that the lab makes on this machine. */
  readonly name: string;
  readonly nodes: readonly NodeSpec[];
  readonly subnets?: readonly SubnetSpec[] | undefined;
  /**
   * Networks behind routers. With any, the lab is a small internet: nodes outside of sites, and routers, have addresses that
   * look public. Absent or empty: all nodes are on one private network.
   */
  readonly sites?: readonly SiteSpec[] | undefined;
}

export interface NodeSpec {
  /** Its name in the lab and in the mesh. */
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  /** Behind a router of its own, which translates addresses: it can open connections, and others cannot open one to it. */
  readonly nat?: boolean | undefined;
  /** The site that it is in at first: see `Lab.move`. Absent: none. */
  readonly site?: string | undefined;
  /** Networks that it offers to forward to, besides the subnets it is a provider of. */
  readonly routes?: readonly string[] | undefined;
  /** As `mesh agent enroll --accept-routes` takes it. Absent: the default of the agent. */
  readonly accept_routes?: 'all' | 'subnets' | 'none' | undefined;
  /** As `mesh agent enroll --service` takes them: `web:tcp:80`. */
  readonly services?: readonly string[] | undefined;
}

/** A network behind nodes, with one host in it that knows nothing of the mesh. */
export interface SubnetSpec {
  readonly cidr: string;
  /** Nodes that have a leg in it, and offer to forward to it. */
  readonly providers: readonly string[];
}

/** A home, an office or a carrier: a router, and what is behind it. */
export interface SiteSpec {
  readonly name: string;
  /** How its router translates IPv4. Absent: `masquerade`, which is what most Linux routers do. */
  readonly nat?: NatKind | undefined;
  /** Two nodes behind the router reach each other at its address outside. Absent: they do not. */
  readonly hairpin?: boolean | undefined;
  /** What its firewall lets out. Absent: everything. */
  readonly egress?: Egress | undefined;
  /** Absent: IPv4 alone. IPv6 is routed, and like IPv4 lets in only what answers. */
  readonly families?: SiteFamilies | undefined;
  /** The site of its carrier, whose router translates once more. */
  readonly behind?: string | undefined;
  /** Its network inside, a private /24. Absent: one that no other site has. Two homes often have the same. */
  readonly lan?: string | undefined;
}

export type Egress = 'everything' | 'tcp-only' | 'tcp-443-only';

export type SiteFamilies = 'ipv4-only' | 'dual-stack' | 'ipv6-only';

/** How the coordinator is called where links are cut. */
export const COORDINATOR = 'coordinator';
/** How the network outside of all sites is called where a node moves. */
export const INTERNET = 'internet';
