/**
 * People: inviting, changing, removing. `callers/rights.ts` checks the caller's rights, `users/last-owner.ts` that an owner of the
 * whole mesh remains; both inside the transaction, so that they hold for concurrent requests.
 */
import { MeshError, newId } from '@meshwork/contract';
import { actorOf, callerOf } from '../../callers/caller.ts';
import {
  ensureMayGroup,
  ensureNoStronger,
  ensureRole,
  ensureUnchanged,
  ensureVisible,
  permissionsOfRoles,
} from '../../callers/rights.ts';
import { ACTIVITY } from '../../ledger/documents.ts';
import { addUser } from '../../users/add-user.ts';
import { forgetIdentities, forgetSignIn, invite } from '../../users/invite.ts';
import { ensureOwnerRemains } from '../../users/last-owner.ts';
import { retireTokens } from '../../users/retire-tokens.ts';
import { userRecord } from '../../users/user-record.ts';
import type { AreaHandlers, Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { changeUser } from './change-user.ts';
import { listUsers } from './list-users.ts';
import { ensureMayKeep, tokensToEnd } from './made-tokens.ts';
import { transactOnUser } from './transact-on-user.ts';

export function userHandlers(parts: PanelParts): AreaHandlers<'users'> {
  const { ledger } = parts;
  return {
    'users.list': (call) => ({ body: listUsers(ledger, call) }),
    'users.show': (call) => {
      const user = ensureVisible(callerOf(call), ledger.get('user', call.params.id));
      return { body: userRecord(ledger, user), revision: user.revision };
    },
    'users.create': (call) => createUser(parts, call),
    'users.tokens': async (call) => ({ body: { items: [...(await tokensToEnd(parts, call, call.query))] } }),
    'users.update': (call) => changeUser(parts, call),
    'users.remove': (call) => removeUser(parts, call),
    'users.invite_again': (call) => inviteAgain(parts, call),
  };
}

async function createUser(parts: PanelParts, call: Call<'users.create'>): Promise<Reply<'users.create'>> {
  const { ledger, access, site } = parts;
  const person = callerOf(call);
  const { name, role, scope, groups = [], display_name = name } = call.body;
  await ensureRole(access, role);
  const roles = await permissionsOfRoles(access, [role]);
  const { user, link } = await ledger.transact(call.cause, (tx) => {
    ensureUnchanged(tx, person);
    ensureNoStronger(person, role, scope, roles);
    const id = newId('user', tx.now_ms);
    if (groups.length > 0) ensureMayGroup(person);
    const given = { name, display_name, role, scope, groups, state: 'invited', password: null } as const;
    const made = addUser(tx, id, { ...given, created_by: actorOf(person) });
    tx.record({ target: { kind: 'user', id }, detail: `${name} as ${role}` });
    return { user: made, link: invite(tx, id, site) };
  });
  const location = `/api/v1/users/${user.id}`;
  return { body: { user: userRecord(ledger, user), ...link }, revision: user.revision, location };
}

async function removeUser(parts: PanelParts, call: Call<'users.remove'>): Promise<Reply<'users.remove'>> {
  const { keep_tokens = false } = call.query;
  if (keep_tokens) await ensureMayKeep(parts, call, {});
  await transactOnUser(parts, call, (tx, user) => {
    ensureOwnerRemains(tx, user, null);
    if (!keep_tokens) retireTokens(tx, user, { by: call.cause.actor, address: call.address, limit: null });
    parts.sessions.endAll(tx, user.id);
    forgetIdentities(tx, user.id);
    tx.delete('name', user.body.name);
    for (const kind of ['user', 'invitation', ACTIVITY] as const) tx.delete(kind, user.id);
    const detail = `${user.body.name}${keep_tokens ? '; keeps the tokens that they made' : ''}`;
    tx.record({ target: { kind: 'user', id: user.id }, detail });
  });
  await parts.retirements.settled(call.params.id);
  return {};
}

async function inviteAgain(parts: PanelParts, call: Call<'users.invite_again'>): Promise<Reply<'users.invite_again'>> {
  const { user, link } = await transactOnUser(parts, call, (tx, found) => {
    if (found.id === callerOf(call).id) {
      throw new MeshError(
        'exceeds_own_rights',
        'You cannot invite yourself. Change your password in your own account.',
      );
    }
    ensureOwnerRemains(tx, found, { ...found.body, state: 'invited' });
    const anew = forgetSignIn(tx, parts.sessions, found);
    tx.record({ target: { kind: 'user', id: found.id }, detail: found.body.name });
    return { user: anew, link: invite(tx, found.id, parts.site) };
  });
  return { body: { user: userRecord(parts.ledger, user), ...link }, revision: user.revision };
}
