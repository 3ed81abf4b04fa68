import { MeshError } from '@meshwork/contract';
import { callerOf } from '../../callers/caller.ts';
import { ensureMayGroup, ensureNoStronger, ensureRole, permissionsOfRoles } from '../../callers/rights.ts';
import type { UserDocument } from '../../ledger/documents.ts';
import { endEntries } from '../../sessions/end-entries.ts';
import { losesGroups } from '../../users/groups.ts';
import { ensureOwnerRemains } from '../../users/last-owner.ts';
import { retireTokens } from '../../users/retire-tokens.ts';
import { userRecord } from '../../users/user-record.ts';
import type { Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';
import { ensureMayKeep } from './made-tokens.ts';
import { transactOnUser } from './transact-on-user.ts';

/** A new role or scope takes effect at once: permissions are looked up with each request. */
export async function changeUser(parts: PanelParts, call: Call<'users.update'>): Promise<Reply<'users.update'>> {
  const { ledger, access, sessions } = parts;
  const person = callerOf(call);
  const { display_name, role, scope, groups, disabled, keep_tokens = false } = call.body;
  if (role !== undefined) await ensureRole(access, role);
  const isAboutRights = disabled === true || role !== undefined || scope !== undefined;
  if (keep_tokens && isAboutRights) await ensureMayKeep(parts, call, disabled === true ? {} : { role, ...scope });
  const roles = await permissionsOfRoles(access, role === undefined ? [] : [role]);
  const user = await transactOnUser(parts, call, (tx, before) => {
    if (before.id === person.id && (role !== undefined || scope !== undefined || disabled !== undefined)) {
      throw new MeshError('exceeds_own_rights', 'You cannot change your own role, scope or state.');
    }
    const after: UserDocument = {
      ...before.body,
      display_name: display_name ?? before.body.display_name,
      role: role ?? before.body.role,
      scope: scope ?? before.body.scope,
      groups: groups ?? before.body.groups ?? [],
      state: stateOf(before.body, disabled),
    };
    if (role !== undefined) ensureNoStronger(person, role, after.scope, roles);
    if (scope !== undefined) ensureNoStronger(person, after.role, scope, new Map([[after.role, new Set()]]));
    if (groups !== undefined) ensureMayGroup(person);
    ensureOwnerRemains(tx, before, after);
    if (after.state === 'disabled') {
      sessions.endAll(tx, before.id);
      tx.delete('invitation', before.id);
    }
    const limit = after.state === 'disabled' ? null : { role: after.role, scope: after.scope };
    if (!keep_tokens && isNarrowed(before.body, after)) {
      retireTokens(tx, before, { by: call.cause.actor, address: call.address, limit });
    } else if (isNarrowed(before.body, after) || losesGroups(before.body, after)) endEntries(tx, before);
    const kept = keep_tokens ? '; keeps the tokens that they made' : '';
    tx.record({ target: { kind: 'user', id: before.id }, detail: `${said(before.body, after)}${kept}` });
    return tx.put('user', before.id, after);
  });
  await parts.retirements.settled(user.id);
  return { body: userRecord(ledger, user), revision: user.revision };
}

/** Any other role or scope counts. The coordinator decides for each token whether it is narrower. */
function isNarrowed(before: UserDocument, after: UserDocument): boolean {
  if (after.state === 'disabled') return before.state !== 'disabled';
  return before.role !== after.role || textOf(before.scope) !== textOf(after.scope);
}

/** A person without a way to sign in goes back to `invited` when they are enabled again. */
function stateOf(body: UserDocument, disabled: boolean | undefined): UserDocument['state'] {
  if (disabled === undefined) return body.state;
  if (disabled) return 'disabled';
  if (body.state !== 'disabled') return body.state;
  const canSignIn = body.password !== null || body.passkeys.length > 0 || body.oidc !== null;
  return canSignIn ? 'active' : 'invited';
}

/** What changed, in words for the trail. */
function said(before: UserDocument, after: UserDocument): string {
  const changes = [
    before.role === after.role ? [] : [`role ${before.role} to ${after.role}`],
    textOf(before.scope) === textOf(after.scope) ? [] : [`scope ${textOf(before.scope)} to ${textOf(after.scope)}`],
    before.state === after.state ? [] : [`${before.state} to ${after.state}`],
    textOfGroups(before) === textOfGroups(after) ? [] : [`groups ${textOfGroups(before)} to ${textOfGroups(after)}`],
    before.display_name === after.display_name ? [] : ['display name'],
  ].flat();
  return `${after.name}: ${changes.join(', ') || 'nothing'}`;
}

function textOfGroups({ groups = [] }: UserDocument): string {
  return groups.join(', ') || 'none';
}

function textOf({ team, surface, environment }: UserDocument['scope']): string {
  return `${team}/${surface}/${environment}`;
}
