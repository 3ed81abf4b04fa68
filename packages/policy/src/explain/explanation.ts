import type { Rate } from '../firewall/rule.ts';

/** Why a node can reach something, or why not. The wire adds the revision of the mesh. */
export interface Explanation {
  readonly verdict: Verdict;
  /** In one sentence. */
  readonly reason: string;
  readonly from: ExplainedEnd;
  /** With a network behind the mesh, the node that forwards to it. */
  readonly to: ExplainedEnd;
  /** `tcp:22` or `icmp`. Empty: that of a service which no node offers. */
  readonly port: string;
  /** The grant that allows it: `developers -> git-servers`. Null: none does. */
  readonly grant: string | null;
  /** The way, in order. Checks that make no sense for the question are left out. */
  readonly steps: readonly ExplanationStep[];
  /** Changes that would allow it, each by itself, the smallest first. Several steps are numbered lines. Empty: it is allowed. */
  readonly fix: readonly string[];
  /** The answer for each family, where a name stands for addresses of both. Empty: only one is concerned. */
  readonly families: readonly FamilyVerdict[];
  /** What limits an `allowed`. Empty: nothing does. */
  readonly conditions: readonly Condition[];
}

export interface FamilyVerdict {
  readonly family: 4 | 6;
  /** Of the destination. */
  readonly address: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** A rate of a firewall rule, above which packets are dropped. */
export interface Condition {
  /** The name of the node that the rule is on. */
  readonly node: string;
  /** The id of the rule that has the rate. */
  readonly rule: string;
  readonly up_to: { readonly count: number; readonly per: Rate['per'] };
  /** What was dropped so far. Null: not known. */
  readonly dropped: number | null;
  readonly detail: string;
}

export type Verdict = 'allowed' | 'denied' | 'unknown';

export interface ExplainedEnd {
  /** Null: it is no node, or none that may be seen. */
  readonly id: string | null;
  /** Its name, or the text of the question. */
  readonly name: string;
}

export interface ExplanationStep {
  readonly check: ExplainCheck;
  /** `note`: it concerns what programs do, and no packet. */
  readonly outcome: 'pass' | 'fail' | 'unknown' | 'note';
  readonly detail: string;
}

/** In the order of the walk. */
export type ExplainCheck =
  | 'source'
  | 'destination'
  | 'name'
  | 'boundary'
  | 'grant'
  | 'route'
  | 'firewall'
  | 'underlay'
  | 'host'
  | 'service'
  | 'applied'
  | 'path'
  | 'relay'
  | 'link'
  | 'certificate';
