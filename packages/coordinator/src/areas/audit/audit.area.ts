/**
 * The audit trail: entries are written with every change (`mesh/audit-entry.ts`); here they are read, checked, and removed
 * once they are past their retention (`trim-audit.ts`, a duty).
 */
import { periodic } from '../../duties/duty.ts';
import type { Area } from '../area.ts';
import { listAudit, showAudit } from './read-audit.ts';
import { trimAudit } from './trim-audit.ts';
import { verifyAudit } from './verify-audit.ts';

export const audit: Area<'audit'> = {
  open: () => ({
    serve: ({ mesh }) => ({
      handlers: {
        'audit.list': (call) => listAudit(mesh, call),
        'audit.show': (call) => showAudit(mesh.journal, call),
        'audit.verify': (call) => verifyAudit(mesh.journal, call),
      },
      // What retention removes has an entry in the trail each time, so it is not done for a minute's worth.
      duties: [periodic('audit.trim', 3600, () => trimAudit(mesh))],
    }),
  }),
};
