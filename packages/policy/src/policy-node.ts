/** A node as far as the policy is concerned. Only members are given to it: a pending or quarantined node has no peers. */
export interface PolicyNode {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** A part that no tag gives is `*`. */
  readonly boundary: { readonly team: string; readonly surface: string; readonly environment: string };
  /** False: stale or unreachable. */
  readonly fresh: boolean;
  /** Null: not reported. */
  readonly agent_version: string | null;
  /** Networks that it forwards to now, in canonical form. */
  readonly provides: readonly string[];
  /** Those of them that were approved for the whole mesh. Others use the rest only where a grant names the node by `via`. */
  readonly shares: readonly string[];
}
