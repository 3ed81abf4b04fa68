/** What happened at the panel itself. Entries are written with each change (`ledger/transaction.ts`); here they are read and checked. */
import type { AreaHandlers } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { listTrail } from './read-trail.ts';
import { verifyTrail } from './verify-trail.ts';

export function trailHandlers({ ledger }: Pick<PanelParts, 'ledger'>): AreaHandlers<'trail'> {
  return {
    'trail.list': (call) => listTrail(ledger, call),
    'trail.verify': (call) => verifyTrail(ledger, call),
  };
}
