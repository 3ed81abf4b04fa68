/** Lists and ends sessions: one's own, and those of others with the permission. */
import { covers, invalid, MeshError, type Permission, type Session, type UserId, utc } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import { type Caller, callerOf, isPerson, roleOf } from '../../callers/caller.ts';
import { ensureNoStronger, ensureUnchanged, ensureVisible, permissionsOfRoles } from '../../callers/rights.ts';
import type { Stored } from '../../ledger/documents.ts';
import { IDLE_MS } from '../../sessions/session-limits.ts';
import { isAlive } from '../../sessions/sessions.ts';
import type { AreaHandlers, Call, Reply } from '../handler.ts';
import type { PanelParts } from '../parts.ts';

export function sessionHandlers(parts: PanelParts): AreaHandlers<'sessions'> {
  return {
    'sessions.list': (call) => listSessions(parts, call),
    'sessions.end': (call) => endSession(parts, call),
    'sessions.end_all': (call) => endAllSessions(parts, call),
  };
}

async function listSessions(parts: PanelParts, call: Call<'sessions.list'>): Promise<Reply<'sessions.list'>> {
  const { ledger } = parts;
  const person = callerOf(call);
  const { user: whose = isPerson(person) ? person.id : '*', ...page } = call.query;
  if (whose !== person.id) {
    await permitted(parts, person, 'users:read');
    if (whose !== '*') ensureVisible(person, ledger.get('user', whose));
  }
  const isWanted = ({ body }: Stored<'session'>) => {
    if (body.state !== 'open' || !isAlive(body, call.now_ms)) return false;
    if (whose !== '*') return body.user === whose;
    const user = ledger.get('user', body.user);
    return user !== undefined && (user.id === person.id || covers(person.scope, user.body.scope));
  };
  const newestFirst = (before: string | undefined) =>
    [...ledger.after('session', undefined)].reverse().filter(({ id }) => before === undefined || id < before);
  const show = (session: Stored<'session'>) => sessionRecord(parts, session, person);
  return { body: pageById('sessions', page, { walk: newestFirst, keep: isWanted, show }) };
}

async function endSession(parts: PanelParts, call: Call<'sessions.end'>): Promise<Reply<'sessions.end'>> {
  const { ledger, sessions } = parts;
  const person = callerOf(call);
  const session = ledger.get('session', call.params.id);
  if (session === undefined) throw noSession();
  const isOwn = session.body.user === person.id;
  const end = await mayEnd(parts, person, session.body.user);
  await ledger.transact(call.cause, (tx) => {
    if (!isOwn) end(tx.get('user', session.body.user));
    ensureUnchanged(tx, person);
    if (tx.get('session', session.id) === undefined) throw noSession();
    sessions.end(tx, session);
    tx.record({ target: { kind: 'session', id: session.id } });
  });
  return session.id === currentOf(person) ? { session_secret: null } : {};
}

async function endAllSessions(parts: PanelParts, call: Call<'sessions.end_all'>): Promise<Reply<'sessions.end_all'>> {
  const { ledger, sessions } = parts;
  const person = callerOf(call);
  const { user: whose = person.id } = call.query;
  if (whose === '*' || (call.query.user === undefined && !isPerson(person))) {
    throw invalid('query/user', 'must be the id of one person');
  }
  const isOwn = whose === person.id;
  const end = await mayEnd(parts, person, whose);
  const ended = await ledger.transact(call.cause, (tx) => {
    ensureUnchanged(tx, person);
    if (!isOwn) end(tx.get('user', whose));
    const count = sessions.endAll(tx, whose as UserId, isOwn ? currentOf(person) : undefined);
    tx.record({ target: { kind: 'user', id: whose }, detail: `${count} sessions` });
    return count;
  });
  return { body: { ended } };
}

/** For sessions of others: the check that is left to do once the person can no longer change. */
async function mayEnd(
  parts: PanelParts,
  person: Caller,
  whose: string,
): Promise<(user: Stored<'user'> | undefined) => void> {
  if (whose === person.id) return () => undefined;
  const { permissions } = await permitted(parts, person, 'users:write');
  const { role } = ensureVisible(person, parts.ledger.get('user', whose)).body;
  const roles = await permissionsOfRoles(parts.access, [role]);
  return (user) => {
    const { body } = ensureVisible(person, user);
    ensureNoStronger({ ...person, permissions }, body.role, body.scope, roles);
  };
}

/** Each person may use these operations on their own sessions. Those of others need a permission. */
async function permitted({ access }: PanelParts, person: Caller, permission: Permission): Promise<Caller> {
  const permissions = isPerson(person) ? await access.permissionsOf(person) : person.permissions;
  if (permissions.has(permission)) return { ...person, permissions };
  throw new MeshError('permission_denied', `The role ${roleOf(person)} lacks ${permission}.`);
}

/** The session that the request itself came with. Undefined: it came with a token. */
function currentOf(caller: Caller): string | undefined {
  return isPerson(caller) ? caller.session.id : undefined;
}

function sessionRecord({ ledger }: PanelParts, { id, body }: Stored<'session'>, person: Caller): Session {
  const { method, created_at, last_seen_at, expires, address, user_agent } = body;
  const idle_expires = utc(Date.parse(last_seen_at) + IDLE_MS);
  return {
    id,
    user: { id: body.user, name: ledger.get('user', body.user)?.body.name ?? '' },
    method,
    current: id === currentOf(person),
    created_at,
    last_seen_at,
    idle_expires,
    expires,
    address,
    user_agent,
  };
}

function noSession(): MeshError {
  return new MeshError('not_found', 'There is no such session.');
}
