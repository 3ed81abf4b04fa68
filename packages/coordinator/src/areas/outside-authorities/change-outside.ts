/** Outside authorities are created and changed here. Accounts follow by themselves (`register-accounts.ts`). */
import { isDeepStrictEqual } from 'node:util';
import { newId, utc } from '@meshwork/contract';
import { ensureCovers } from '../../access/rights.ts';
import { accountId } from '../../acme-client/outside-accounts.ts';
import type { OutsideAuthorityDocument } from '../../kinds/outside-authorities.ts';
import { refOf } from '../../mesh/actor.ts';
import { bindingSealedFor } from '../../mesh/envelopes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnOutside, NONE } from './find-outside.ts';
import { outsideRecord } from './outside-record.ts';
import { ensureSoundOutside } from './sound-outside.ts';

export async function createOutside(
  mesh: Mesh,
  call: Call<'outside_authorities.create'>,
): Promise<Reply<'outside_authorities.create'>> {
  const { name, directory, staging_directory = null, contacts = [], challenge = 'http-01', roots = null } = call.body;
  const { eab_key_id = null, eab_key } = call.body;
  ensureSoundOutside(call.body);
  const id = newId('outside', call.now_ms);
  const sealed = sealedBinding(mesh, id, eab_key);
  return await call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    const at = utc(tx.now_ms);
    const authority = tx.create('outside_authority', id, {
      name,
      scope,
      directory,
      staging_directory,
      contacts,
      challenge,
      roots,
      eab_key_id,
      eab_key: sealed,
      terms_agreed_at: at,
      created_at: at,
      created_by: refOf(actor),
    });
    const subject = { kind: 'outside_authority', id } as const;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'outside_authority.created', subject, scope, data: { name } });
    const body = outsideRecord(tx, authority, actor.scope);
    return { body, revision: authority.revision, location: `/v1/outside-authorities/${id}` };
  });
}

export async function updateOutside(
  mesh: Mesh,
  call: Call<'outside_authorities.update'>,
): Promise<Reply<'outside_authorities.update'>> {
  const { id } = findOwnOutside(mesh.model, call.params.id, call.actor);
  const { eab_key, agree_terms, ...change } = call.body;
  const sealed = sealedBinding(mesh, id, eab_key);
  return await call.transact((tx, actor) => {
    const old = findOwnOutside(tx, id, actor);
    ensureMatches(old, call.if_match);
    ensureSoundOutside({ directory: old.body.directory, ...call.body });
    const body: OutsideAuthorityDocument = {
      ...old.body,
      ...change,
      ...(sealed === null ? {} : { eab_key: sealed }),
      ...(agree_terms === true ? { terms_agreed_at: utc(tx.now_ms) } : {}),
    };
    if (isDeepStrictEqual(body, old.body)) return { body: outsideRecord(tx, old, actor.scope), revision: old.revision };
    const authority = tx.put('outside_authority', id, body);
    // Another directory for attempts is another account.
    const staging = accountId(id, 'staging');
    const isOther = body.staging_directory !== old.body.staging_directory;
    if (isOther && tx.get('outside_account', staging) !== undefined) tx.delete('outside_account', staging);
    const subject = { kind: 'outside_authority', id } as const;
    const { scope, name } = body;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'outside_authority.changed', subject, scope, data: { name } });
    return { body: outsideRecord(tx, authority, actor.scope), revision: authority.revision };
  });
}

function sealedBinding(mesh: Mesh, id: string, key: string | undefined): string | null {
  return key === undefined ? null : mesh.seal(Buffer.from(key), bindingSealedFor(id));
}
