import { DEFAULT_ROLE, invalid, newId, type TokenWithSecret } from '@meshwork/contract';
import { boundBy } from '../../access/latest-expiry.ts';
import { newToken } from '../../access/new-token.ts';
import { ensureCovers, grantedBy, permissionsOfRole } from '../../access/rights.ts';
import { tokenRecord } from '../../access/token-record.ts';
import { newSecret } from '../../access/token-secret.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { checkedExpiry } from './expiry.ts';
import { givenTags } from './given-tags.ts';
import { makerOf } from './maker.ts';
import { ensureMayHearSecret } from './secret-again.ts';

export function createToken(mesh: Mesh, call: Call<'tokens.create'>): Promise<Reply<'tokens.create'>> {
  const id = newId('token', call.now_ms);
  const secret = newSecret(id);
  return call.transact((tx, actor) => {
    const { name, scope } = call.body;
    const role = chosenRole(tx, actor, call.body);
    const maker = makerOf(tx, actor, tx.now_ms);
    const expires = checkedExpiry(tx, call.body.expires, boundBy(tx, maker.created_by, tx.now_ms));
    const uses_left = checkedUses(tx, role, call.body.uses);
    const tags = givenTags(tx, actor, { role, tags: call.body.tags ?? [] });
    const made = { ...maker, secret_sha256: secret.sha256 };
    const given = { name, scope, role, expires, ...made, uses_left, tags };
    const token = tx.create('token', id, newToken(given, tx.now_ms));
    tx.record({ target: { kind: 'token', id }, scope });
    tx.emit({ type: 'token.created', subject: { kind: 'token', id }, scope, data: { name, expires } });
    const body: TokenWithSecret = {
      ...tokenRecord(tx, token, { now_ms: tx.now_ms, presence: mesh.presence }),
      secret: secret.text,
    };
    return { body, revision: token.revision, location: `/v1/auth/tokens/${id}` };
  }, ensureMayHearSecret);
}

/** The role requested, else the one of the surface, else the weakest. Never more than the caller has itself. */
function chosenRole(tx: Transaction, actor: TokenActor, body: Call<'tokens.create'>['body']): string {
  const { surface_roles } = settingsOf(tx).tokens;
  const bySurface = Object.hasOwn(surface_roles, body.scope.surface) ? surface_roles[body.scope.surface] : undefined;
  const role = body.role ?? bySurface ?? DEFAULT_ROLE;
  const permissions = permissionsOfRole(tx, role);
  if (permissions === undefined) throw invalid('/role', `"${role}" is not a role; GET /v1/auth/roles lists them`);
  ensureCovers(actor, { permissions, scope: body.scope });
  return role;
}

/** A number of uses means nodes to enrol, so a role that enrols none has no use for it. */
function checkedUses(tx: Transaction, role: string, uses: number | undefined): number | null {
  if (uses !== undefined && !grantedBy(tx, role).has('nodes:enroll')) {
    throw invalid('/uses', `counts enrolled nodes, and the role "${role}" cannot enrol any`);
  }
  return uses ?? null;
}
