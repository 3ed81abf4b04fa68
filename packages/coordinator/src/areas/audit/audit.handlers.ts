/**
 * The audit trail: entries are written with every change (`mesh/writer.ts`); here they are read, checked, and removed
 * once they are past their retention (`trim-audit.ts`, a duty).
 */
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import { listAudit, showAudit } from './read-audit.ts';
import { verifyAudit } from './verify-audit.ts';

export function auditHandlers(mesh: Mesh): AreaHandlers<'audit'> {
  return {
    'audit.list': (call) => listAudit(mesh, call),
    'audit.show': (call) => showAudit(mesh.journal, call),
    'audit.verify': (call) => verifyAudit(mesh.journal, call),
  };
}
