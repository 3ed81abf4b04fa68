import type { NodeDocument, ReportDocument } from '../kinds/nodes.ts';
import { isMember } from './node-state.ts';

/** Whether a node may keep the roles that it has. */
export function mayStay(node: NodeDocument | undefined): boolean {
  return node !== undefined && isMember(node) && node.draining_since === null;
}

/**
 * Whether a new report decides anew about the roles of a node: whether it has sent a heartbeat, and what it can carry.
 */
export function changesRoles(before: ReportDocument | undefined, after: ReportDocument | undefined): boolean {
  return rolesOf(before) !== rolesOf(after);
}

function rolesOf(report: ReportDocument | undefined): string {
  const { sections = ['assumed'], features = [] } = report?.abilities ?? {};
  return [(report?.boots.length ?? 0) > 0, ...sections, '/', ...features].join();
}
