import { type HeartbeatRequest, MeshError } from '@meshwork/contract';
import type { ReportDocument } from '../../kinds/nodes.ts';
import type { NodeStatus } from '../../node-status/node-status.ts';

/**
 * Refuses a heartbeat that is not the newest of its node: one that was sent again, overtaken, or left over from before
 * the agent was restarted. So what is late can neither undo what is newer nor keep a dead node alive.
 */
export function ensureNewest(
  { boot_id, seq }: Pick<HeartbeatRequest, 'boot_id' | 'seq'>,
  status: NodeStatus,
  report: ReportDocument | undefined,
): void {
  if (status.boot_id === boot_id) {
    if (seq > status.seq) return;
    throw new MeshError('heartbeat_replayed', `Heartbeat ${seq} of this boot came after ${status.seq}.`);
  }
  ensureNewestBoot(boot_id, report);
}

/** Also asked inside a transaction: a newer boot may have reached another coordinator meanwhile. */
export function ensureNewestBoot(boot_id: string, report: ReportDocument | undefined): void {
  if (report === undefined || report.boots.indexOf(boot_id) <= 0) return;
  throw new MeshError('heartbeat_replayed', 'The agent has been started again since this heartbeat was sent.');
}
