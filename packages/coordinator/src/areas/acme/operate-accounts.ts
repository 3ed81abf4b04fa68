/** What operators do about accounts. */
import { ACME_DIRECTORY, type AccountId, type AcmeAccount, covers, MeshError } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { deactivate, scopeOfAccount } from './accounts.ts';
import { bindingKey, tokenOfAccount, worksNow } from './bound-token.ts';

/** The key for the token that asks. */
export function bind(mesh: Mesh, call: Call<'acme.bind'>): Promise<Reply<'acme.bind'>> {
  return call.transact((tx, { id, on_behalf_of, scope }) => {
    if (on_behalf_of !== null) {
      const detail = 'An account outlives a sign-in. Make a token with ca:issue, and ask with that.';
      throw new MeshError('token_delegated', detail);
    }
    const token = tx.get('token', id);
    if (token === undefined) throw new Error('The token of the caller is gone.');
    tx.record({ target: { kind: 'token', id }, scope });
    const key = bindingKey(mesh, token).toString('base64url');
    return { body: { key_id: id, key, directory: ACME_DIRECTORY } };
  });
}

export function listAccounts({ model }: Mesh, { query, actor, now_ms }: Call<'acme.accounts'>): Reply<'acme.accounts'> {
  const body = pageById('acme.accounts', query, {
    walk: (after) => model.after('acme_account', after),
    keep: (one: Stored<'acme_account'>) =>
      covers(actor.scope, scopeOfAccount(model, one)) && (query.state === undefined || one.body.state === query.state),
    show: (one) => accountRecord(model, one, now_ms),
  });
  return { body };
}

export function deactivateAccount(call: Call<'acme.deactivate'>): Promise<Reply<'acme.deactivate'>> {
  return call.transact((tx, actor) => {
    const { id } = call.params;
    const found = tx.get('acme_account', id);
    const detail = `There is no ACME account "${id}".`;
    if (found === undefined) throw new MeshError('not_found', detail);
    if (!covers(actor.scope, scopeOfAccount(tx, found))) {
      throw new MeshError('not_found', detail, { refused_as: 'outside_scope' });
    }
    ensureMatches(found, call.if_match);
    const body = accountRecord(tx, deactivate(tx, id as AccountId), tx.now_ms);
    return { body, revision: body.revision };
  });
}

function accountRecord(view: View, account: Stored<'acme_account'>, now_ms: number): AcmeAccount {
  const { state, contacts, thumbprint, created_at } = account.body;
  const token = tokenOfAccount(view, account.body.token);
  return {
    id: account.id,
    state,
    token: { id: token?.id ?? account.body.token, name: token?.body.name ?? '' },
    works: worksNow(view, account, now_ms),
    contacts: [...contacts],
    thumbprint,
    created_at,
    revision: account.revision,
  };
}
