import { MeshError } from '@meshwork/contract';
import type { NodeStatus } from '../../node-status/node-status.ts';

/** What a node may ask of us beyond the usual heartbeat: so much at once, and so much a second for long. */
const BURST = 60;
const PER_S = 1;

/**
 * Takes one from what a node may cost: a change that is written and sent to its peers, or a view that is sent anew. A
 * node that has gone wrong, or was taken over, would otherwise keep the store and all its peers busy.
 */
export function spend(status: NodeStatus, now: number): void {
  const { allowance } = status;
  allowance.left = Math.min(BURST, allowance.left + ((now - allowance.at) / 1000) * PER_S);
  allowance.at = now;
  if (allowance.left < 1) {
    const detail = `A node may report ${BURST} changes at once and ${PER_S} a second for long.`;
    throw new MeshError('rate_limited', detail, { retry_after_s: Math.ceil((1 - allowance.left) / PER_S) });
  }
  allowance.left -= 1;
}
