/**
 * What operators decide about the hosts themselves, beside the policy: an ordered list of rules, each for the nodes that it
 * selects. `check-rule.ts` finds mistakes in one, `review.ts` warns about a list, `guard.ts` finds what would cut a
 * node off, `decide.ts` what becomes of a packet, `compile-node.ts` turns rules and policy into one nftables table and
 * tells how they combine.
 *
 * A rule matches flows, not packets: it is evaluated for what the side that opened the flow sends, and answers pass without
 * it. So `drop`, `in`, port 22 forbids others to log in here, and does not concern what this node does elsewhere. It is
 * evaluated again for each packet: a new `drop` ends flows that are under way.
 */
export interface FirewallRule {
  readonly id: string;
  /** For people. It is never part of a rule set. */
  readonly note?: string;
  /** False: kept, and without effect. */
  readonly enabled: boolean;
  /** Nodes it applies to: those that match one of `*`, `tag:role:git`, `node:git-1`, `scope:platform/git/*`. */
  readonly nodes: readonly string[];
  /** `in`: a flow that is opened to this node. `out`: a flow that it opens. `forward`: a flow that passes through it. */
  readonly direction: Direction;
  /**
   * `mesh`, `any` (the mesh included) or the name of an interface: where the packet comes in, with `out` where it leaves.
   * The loopback interface is never filtered.
   */
  readonly interface: string;
  /** Networks of the side that opens the flow. Absent: anywhere. */
  readonly from?: readonly string[];
  /** Networks of the other side. Absent: anywhere. */
  readonly to?: readonly string[];
  readonly protocol: Protocol;
  /** Destination ports of `tcp` and `udp`: `22`, `8000-8999`. Absent: all. */
  readonly ports?: readonly string[];
  readonly action: RuleAction;
  /** Not with `drop`. With `accept` absent means without limit, with `log` it means `LOG_RATE`. */
  readonly rate?: Rate;
}

export type Direction = 'in' | 'out' | 'forward';
/** `icmp` is that of IPv6 too. */
export type Protocol = 'any' | 'tcp' | 'udp' | 'icmp';
/**
 * `drop`: no, whatever the policy grants. `accept`: no later rule is evaluated; what comes through the mesh still needs a
 * grant, and other tables of the host still apply. `log`: one line for each new flow, and on to the next rule.
 */
type RuleAction = 'accept' | 'drop' | 'log';

/**
 * How many new flows, from all sources together, an `accept` takes or a `log` writes down. What is above it is as if the
 * rule was not there: the next rules are evaluated. Packets of a flow that is open already are not counted.
 */
export interface Rate {
  readonly count: number;
  readonly per: (typeof PERIODS)[number];
  /** How many may come at once before the rate holds. Absent: 5. */
  readonly burst?: number;
}

export const PERIODS = ['second', 'minute', 'hour'] as const;
export const DEFAULT_BURST = 5;
/** Our number: enough to see what happens, too little to fill a disk in a night. */
export const LOG_RATE: Rate = Object.freeze({ count: 10, per: 'second', burst: 20 });
