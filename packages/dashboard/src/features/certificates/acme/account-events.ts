/** Words for what happens to ACME accounts, and what their clients do in the audit trail. */
import { type FamilyWords, nameIn } from '../../../feature/event-words.ts';

export const ACCOUNT_EVENTS: FamilyWords<'account'> = {
  title: 'ACME account events',
  subject: (event) => `ACME account ${nameIn(event)}`,
  to: () => '/certificates',
  happened: {
    'account.created': 'was created',
    'account.changed': 'got another key, token or contact',
    'account.deactivated': 'was deactivated',
  },
  stale: ['acme'],
};

/** Beside the operations of the API: requests of clients, and what the coordinator does about them. */
export const ACME_ACTIONS: readonly string[] = [
  'acme.answer_challenge',
  'acme.change_key',
  'acme.finalize',
  'acme.forget',
  'acme.new_account',
  'acme.new_order',
  'acme.revoke',
  'acme.update_account',
  'acme.validate',
];
