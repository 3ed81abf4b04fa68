/** The audit trail: entries are written with every change (`mesh/writer.ts`); here they are read and checked. */
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import { listAudit, showAudit } from './read-audit.ts';
import { verifyChain } from './verify-chain.ts';

export function auditHandlers(mesh: Mesh): AreaHandlers<'audit'> {
  return {
    'audit.list': (call) => listAudit(mesh.journal, call),
    'audit.show': (call) => showAudit(mesh.journal, call),
    'audit.verify': async (call) => {
      const report = await verifyChain(mesh.journal, AUDIT_LOG, call.body.anchor);
      return call.transact((tx) => {
        const found = report.intact ? `${report.checked} entries are intact` : `${report.faults.length} faults found`;
        tx.record({ target: null, detail: found });
        return { body: report };
      });
    },
  };
}
