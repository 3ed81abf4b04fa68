import type { NodeInput } from '@meshwork/policy/firewall';

/** What the agent needs of nftables: one table that is its own. */
export interface NodeFirewall {
  /** All at once or not at all. Elements alone where that is enough, so that counters and rates go on. Reads back. */
  apply(input: NodeInput): Promise<void>;
  /** How what is there differs from what was last asked for, in words, or null. */
  drift(): Promise<string | null>;
  /** Packets that the policy turned away since the table was loaded. */
  denied(): Promise<{ readonly in: number; readonly forward: number }>;
  remove(): Promise<void>;
}
