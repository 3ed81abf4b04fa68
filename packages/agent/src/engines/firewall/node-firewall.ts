import type { AclPeer, NodeInput } from '@meshwork/policy/firewall';

/** A table but for what peers may do. */
export type TableFrame = Omit<NodeInput, 'peers'>;

/** What becomes other for some peers. No other peer has one of their addresses. */
export interface FirewallChange {
  readonly frame: TableFrame;
  /** As they are in effect. */
  readonly before: readonly AclPeer[];
  readonly after: readonly AclPeer[];
}

/** What the agent needs of nftables: one table that is its own. */
export interface NodeFirewall {
  /** All at once or not at all. Elements alone where that is enough, so that counters and rates go on. Reads back. */
  apply(input: NodeInput): Promise<void>;
  /**
   * The elements of some peers alone, read back. False: that is not enough, or did not lead to what was asked for; `apply` has
   * to be called with everything.
   */
  change(change: FirewallChange): Promise<boolean>;
  /** How what is there differs from what was last asked for, in words, or null. */
  drift(): Promise<string | null>;
  /** Whether a process that changed the table was ours. */
  isOwn(pid: number): boolean;
  /** The table is not what was applied, for certain: the next `apply` replaces it. */
  distrust(): void;
  /** Packets that the policy turned away since the table was loaded. */
  denied(): Promise<{ readonly in: number; readonly forward: number }>;
  remove(): Promise<void>;
}
