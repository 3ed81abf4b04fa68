import {
  DEFAULT_DELEGATION_S,
  DELEGATE,
  invalid,
  newId,
  roleReserved,
  type TokenWithSecret,
  utc,
} from '@meshwork/contract';
import { newToken } from '../../access/new-token.ts';
import { permissionsOfRole } from '../../access/rights.ts';
import { tokenRecord } from '../../access/token-record.ts';
import { newSecret } from '../../access/token-secret.ts';
import { refOf } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';

/**
 * Makes the token of a person who signed in. This is the one place where a caller grants what it does not have itself:
 * the panel knows who people are and what they may do, and is trusted to say so (docs/decisions/0027). It writes no
 * event: it happens every few minutes for every person who is signed in.
 */
export function createDelegation(mesh: Mesh, call: Call<'delegations.create'>): Promise<Reply<'delegations.create'>> {
  const id = newId('token', call.now_ms);
  const secret = newSecret(id);
  const { person, role, scope, address = null, lifetime_s = DEFAULT_DELEGATION_S } = call.body;
  return call.transact(
    (tx, actor) => {
      ensureDelegable(tx, role);
      const expires = utc(tx.now_ms + lifetime_s * 1000);
      const given = { name: person.name, scope, role, expires, created_by: refOf(actor) };
      const whom = { on_behalf_of: person, address, secret_sha256: secret.sha256 };
      const token = tx.create('token', id, newToken({ ...given, ...whom }, tx.now_ms));
      tx.record({ target: { kind: 'person', id: person.id }, scope, detail: `speaks through ${id} until ${expires}` });
      const body: TokenWithSecret = {
        ...tokenRecord(tx, token, { now_ms: tx.now_ms, presence: mesh.presence }),
        secret: secret.text,
      };
      return { body, revision: token.revision, location: `/v1/auth/tokens/${id}` };
    },
    (answer, tx) => ensureDelegable(tx, answer.body.role),
  );
}

/** A person never acts for others: that would let them be any person. */
function ensureDelegable(view: View, role: string): void {
  const permissions = permissionsOfRole(view, role);
  if (permissions === undefined) throw invalid('/role', `"${role}" is not a role; GET /v1/auth/roles lists them`);
  if (permissions.has(DELEGATE)) throw roleReserved(role);
}
