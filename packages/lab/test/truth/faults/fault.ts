import type { AppliedSection } from '@meshwork/contract';
import type { Random } from '../../seeded.ts';
import type { World } from '../world.ts';

/** Where a fault happens. */
export interface Stage {
  readonly world: World;
  readonly node: string;
  /** The other end, of a fault between two nodes; otherwise the same node. */
  readonly other: string;
  readonly random: Random;
}

export type Mend = () => Promise<unknown>;

export interface Fault {
  /** Which nodes it can happen to. Absent: any. `pair`: two, of which the first is not behind NAT. `everyone`: no single one. */
  readonly on?: 'provider' | 'nat' | 'direct' | 'pair' | 'everyone';
  /**
   * No call and no packet tells the coordinator of it: "allowed" may be wrong for as long as a look at both ends may be old.
   * Absent: the coordinator knows, and an answer must be right from the first moment.
   */
  readonly hidden?: true;
  /** Another program changes what the agent manages, in this section: the agent puts it back and reports it. */
  readonly putBack?: AppliedSection;
  /** It opens the packet filter until it is put back. */
  readonly opens?: true;
  /** Returns how to mend it. Nothing: it is over, or the agent mends it. */
  begin(stage: Stage): Promise<Mend | undefined>;
}

/** For a fault that is over as soon as it has happened. */
export const instant =
  (work: (stage: Stage) => Promise<unknown>): Fault['begin'] =>
  async (stage) => {
    await work(stage);
    return undefined;
  };
