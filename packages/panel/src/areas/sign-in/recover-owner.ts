import { type Invitation, MeshError, newId, USER_NAME_PATTERN, WHOLE_MESH } from '@meshwork/contract';
import type { Ledger } from '../../ledger/ledger.ts';
import { PANEL } from '../../ledger/transaction.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { Site } from '../../site.ts';
import { addUser } from '../../users/add-user.ts';
import { forgetSignIn, invite } from '../../users/invite.ts';

const GOOD_FOR_S = 3600;

interface Parts {
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly site: Site;
}

/**
 * For an installation where no owner can sign in: an administrator of the machine starts the panel with a name. The person of
 * that name becomes owner and has to set up their sign-in again; an unknown name gets an account. Returns the link, once.
 */
export function recoverOwner({ ledger, sessions, site }: Parts, name: string): Promise<Omit<Invitation, 'user'>> {
  if (!new RegExp(USER_NAME_PATTERN).test(name)) {
    throw new MeshError('invalid', `"${name}" is not a valid name: use lower-case letters, digits, . _ @ + -`);
  }
  const cause = { actor: PANEL, action: 'panel.start', request_id: null, address: null } as const;
  return ledger.transact(cause, (tx) => {
    const found = tx.get('user', tx.get('name', name)?.body.user ?? '');
    const person = { name, display_name: name, role: 'owner', scope: WHOLE_MESH, created_by: PANEL };
    const { id } =
      found === undefined
        ? addUser(tx, newId('user', tx.now_ms), { ...person, state: 'invited', password: null })
        : forgetSignIn(tx, sessions, { ...found, body: { ...found.body, role: 'owner', scope: WHOLE_MESH } });
    tx.record({ target: { kind: 'user', id }, detail: `made ${name} an owner who starts anew` });
    return invite(tx, id, site, GOOD_FOR_S);
  });
}
