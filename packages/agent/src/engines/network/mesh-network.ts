/** What the agent needs of the host's network, beside WireGuard itself. */
export interface NetworkPlan {
  /** Of the node in the mesh, with prefix: `100.64.0.7/32`, `fd…/128`. */
  readonly addresses: readonly string[];
  /** Everything that is sent into the mesh: its own networks, and those reached through peers. */
  readonly routes: readonly string[];
  /** Networks that the node forwards to for its peers. */
  readonly forwarded: readonly string[];
  /** Never sent into the mesh, whatever the routes say: the addresses of the coordinators. */
  readonly kept_out: readonly string[];
}

export interface MeshNetwork {
  /** By the smallest difference. Routes to networks that the node itself is in are left out: it is there already. */
  apply(plan: NetworkPlan): Promise<void>;
  /**
   * From now on: by network, the MTU of what is sent there. Of networks that are routed into the mesh by themselves, and of
   * single addresses in such. All others have that of the interface.
   */
  narrow(mtus: ReadonlyMap<string, number>): Promise<void>;
  /** Those that an agent before this one left. */
  narrowed(): Promise<ReadonlyMap<string, number>>;
  /** How what is there differs from what was last asked for, in words, or null. */
  drift(): Promise<string | null>;
  /** Takes away all that `apply` ever made, and nothing else. */
  remove(): Promise<void>;
}
