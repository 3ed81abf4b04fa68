import { MeshError } from '@meshwork/contract';
import { accountId, type OutsideAccounts, reasonOf } from '../../acme-client/outside-accounts.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { authorityOf } from '../../mesh/given-certificates.ts';
import { ingressesInWords } from '../../mesh/ingresses-in-words.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnOutside } from './find-outside.ts';

interface Deleted {
  readonly authority: Stored<'outside_authority'>;
  readonly accounts: readonly Stored<'outside_account'>[];
}

/** With what it issued, which no ingress shows. Its accounts are ended at the authority afterwards, which may not answer. */
export async function deleteOutside(
  { mesh, accounts }: { readonly mesh: Mesh; readonly accounts: OutsideAccounts },
  call: Call<'outside_authorities.delete'>,
  later: (work: Promise<void>) => void,
): Promise<Reply<'outside_authorities.delete'>> {
  const { id } = findOwnOutside(mesh.model, call.params.id, call.actor);
  let deleted: Deleted | undefined;
  await call.transact((tx, actor) => {
    const authority = findOwnOutside(tx, id, actor);
    ensureMatches(authority, call.if_match);
    ensureUnused(tx, authority, actor);
    const kept = (['live', 'staging'] as const).flatMap(
      (where) => tx.get('outside_account', accountId(id, where)) ?? [],
    );
    for (const account of kept) tx.delete('outside_account', account.id);
    for (const order of [...tx.all('certificate_order')].filter(({ body }) => body.authority === id)) {
      tx.delete('certificate_order', order.id);
      if (tx.get('given_certificate', order.id) !== undefined) tx.delete('given_certificate', order.id);
    }
    tx.delete('outside_authority', id);
    const subject = { kind: 'outside_authority', id } as const;
    const { scope, name } = authority.body;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'outside_authority.deleted', subject, scope, data: { name } });
    deleted = { authority, accounts: kept };
    return null;
  });
  if (deleted !== undefined) later(deactivateAll({ mesh, accounts }, deleted));
  return { body: undefined };
}

async function deactivateAll(
  { mesh, accounts }: { readonly mesh: Mesh; readonly accounts: OutsideAccounts },
  { authority, accounts: gone }: Deleted,
): Promise<void> {
  for (const account of gone.filter(({ body }) => body.state === 'valid')) {
    const detail = await accounts.deactivate(authority.body, account).then(
      () => `account ${account.body.url} deactivated`,
      (error: unknown) => `account ${account.body.url} could not be deactivated: ${reasonOf(error)}`,
    );
    await mesh.transact({ actor: COORDINATOR, action: 'outside_authorities.deactivate' }, (tx) => {
      tx.record({ target: { kind: 'outside_authority', id: authority.id }, scope: authority.body.scope, detail });
    });
  }
}

/** Walks the ingresses as the transaction has them: one may have been given it in the same batch. */
function ensureUnused(tx: Transaction, { id, body }: Stored<'outside_authority'>, { scope }: TokenActor): void {
  const users = [...tx.all('ingress')].filter((ingress) => authorityOf(ingress.body) === id);
  if (users.length === 0) return;
  const text = users.length === 1 ? 'gets its certificate' : 'get their certificates';
  throw new MeshError(
    'outside_authority_in_use',
    `${ingressesInWords(users, scope)} ${text} from the authority "${body.name}".`,
  );
}
