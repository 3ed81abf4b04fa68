/** Who may sign in through the provider, and with which role. Runs inside the transaction that opens the session. */
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { MeshError, newId, type UserId } from '@meshwork/contract';
import type { Stored, UserDocument } from '../../../ledger/documents.ts';
import type { Transaction } from '../../../ledger/transaction.ts';
import { endEntries } from '../../../sessions/end-entries.ts';
import type { Sessions } from '../../../sessions/sessions.ts';
import { addUser } from '../../../users/add-user.ts';
import { losesGroups, usableGroups } from '../../../users/groups.ts';
import { ensureOwnerRemains } from '../../../users/last-owner.ts';
import { pendingFor, retireTokens } from '../../../users/retire-tokens.ts';
import { OidcProblem } from './oidc-problem.ts';
import type { ProviderPerson } from './provider-person.ts';
import { type RoleRule, ruleFor } from './role-rules.ts';

/** The creator of accounts of people who sign in through the provider. Only those accounts follow their groups there. */
const OIDC_ACTOR = { kind: 'system', id: null, name: 'oidc' } as const;

const BY_PROVIDER = { by: OIDC_ACTOR, address: null } as const;

/** Throws an `OidcProblem` for a person who may not sign in. */
export function admitPerson(tx: Transaction, person: ProviderPerson, rules: readonly RoleRule[]): Stored<'user'> {
  const known = tx.get('identity', identityId(person));
  const user = known === undefined ? undefined : tx.get('user', known.body.user);
  const rule = ruleFor(rules, person.groups);
  if (user === undefined) return create(tx, person, rule);
  if (user.body.state !== 'active') throw new OidcProblem('account_disabled');
  // An account that an operator created keeps the role that the operator gave it.
  if (!isMadeByProvider(user.body)) return withGroups(tx, user, person);
  if (rule === undefined) throw new OidcProblem('no_role');
  return withGroups(tx, follow(tx, user, rule), person);
}

export function identityId({ issuer, subject }: Pick<ProviderPerson, 'issuer' | 'subject'>): string {
  return hash('sha256', JSON.stringify([issuer, subject]));
}

export function isMadeByProvider({ created_by }: Pick<UserDocument, 'created_by'>): boolean {
  return created_by.kind === OIDC_ACTOR.kind && created_by.name === OIDC_ACTOR.name;
}

function create(tx: Transaction, person: ProviderPerson, rule: RoleRule | undefined): Stored<'user'> {
  if (rule === undefined) throw new OidcProblem('no_role');
  const { issuer, subject, name, label } = person;
  if (name === null) throw new OidcProblem('name_unusable');
  // A person who can choose their name at the provider must not take over the account of another.
  if (tx.get('name', name) !== undefined) throw new OidcProblem('name_taken');
  const id: UserId = newId('user', tx.now_ms);
  tx.put('identity', identityId(person), { user: id });
  tx.record({
    actor: OIDC_ACTOR,
    target: { kind: 'user', id },
    detail: `${name} came by the provider as ${rule.role}`,
  });
  const display_name = person.display_name ?? name;
  const { role, scope } = rule;
  const given = { name, display_name, role, scope, state: 'active' as const, password: null, created_by: OIDC_ACTOR };
  const { body } = addUser(tx, id, given);
  return tx.put('user', id, {
    ...body,
    provider_groups: usableGroups(person.groups),
    oidc: { issuer, subject, label },
  });
}

interface Refused {
  readonly problem: OidcProblem;
  readonly sessions: Sessions;
}

/** Records the refusal. A person who lost their last role at the provider is also signed out everywhere. */
export function turnAway(tx: Transaction, person: ProviderPerson, { problem, sessions }: Refused): void {
  const user = tx.get('identity', identityId(person))?.body.user;
  if (user !== undefined && problem.code === 'no_role') {
    sessions.endAll(tx, user);
    const stored = tx.get('user', user);
    if (stored !== undefined && !isToLoseAll(tx, user)) retireTokens(tx, stored, { ...BY_PROVIDER, limit: null });
  }
  const target = user === undefined ? {} : { target: { kind: 'user', id: user } };
  tx.record({ ...target, code: 'sign_in_failed', detail: `${person.label} by the provider: ${problem.code}` });
}

/** Every attempt to sign in would retire the same tokens: once is enough while the coordinator is unreachable. */
function isToLoseAll(tx: Transaction, user: string): boolean {
  return pendingFor(tx, user).some(({ body }) => body.limit === null);
}

/** For the services that ask for them. One who lost a group has to enter these anew. */
function withGroups(tx: Transaction, user: Stored<'user'>, person: ProviderPerson): Stored<'user'> {
  const provider_groups = usableGroups(person.groups);
  if (isDeepStrictEqual(provider_groups, user.body.provider_groups ?? [])) return user;
  const after = { ...user.body, provider_groups };
  if (losesGroups(user.body, after)) endEntries(tx, user);
  return tx.put('user', user.id, after);
}

/** Gives them the role of their current groups, up or down. The last owner stays owner, and the trail records why. */
function follow(tx: Transaction, user: Stored<'user'>, { role, scope }: RoleRule): Stored<'user'> {
  const target = { kind: 'user', id: user.id };
  const after: UserDocument = { ...user.body, role, scope };
  if (after.role === user.body.role && JSON.stringify(after.scope) === JSON.stringify(user.body.scope)) return user;
  try {
    ensureOwnerRemains(tx, user, after);
  } catch (error) {
    if (!(error instanceof MeshError)) throw error;
    tx.record({ actor: OIDC_ACTOR, target, code: error.code, detail: `stays owner, though the provider says ${role}` });
    return user;
  }
  retireTokens(tx, user, { ...BY_PROVIDER, limit: { role, scope } });
  tx.record({ actor: OIDC_ACTOR, target, detail: `is ${role} by the provider's groups` });
  return tx.put('user', user.id, after);
}
