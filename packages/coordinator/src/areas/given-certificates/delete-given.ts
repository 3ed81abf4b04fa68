import { MeshError } from '@meshwork/contract';
import type { TokenActor } from '../../mesh/actor.ts';
import { givenBy } from '../../mesh/given-certificates.ts';
import { ingressesInWords } from '../../mesh/ingresses-in-words.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnGiven } from './find-given.ts';

export function deleteGiven(call: Call<'given_certificates.delete'>): Promise<Reply<'given_certificates.delete'>> {
  return call.transact((tx, actor) => {
    const given = findOwnGiven(tx, call.params.id, actor);
    ensureMatches(given, call.if_match);
    ensureUnused(tx, given, actor);
    const { id, body } = given;
    const { scope, name } = body;
    const subject = { kind: 'given_certificate', id } as const;
    tx.delete('given_certificate', id);
    tx.record({ target: subject, scope });
    tx.emit({ type: 'given_certificate.deleted', subject, scope, data: { name } });
    return { body: undefined };
  });
}

/** Walks the ingresses as the transaction has them: one may have been given it in the same batch. */
function ensureUnused(tx: Transaction, { id, body }: Stored<'given_certificate'>, { scope }: TokenActor): void {
  const users = [...tx.all('ingress')].filter((ingress) => givenBy(ingress.body) === id);
  if (users.length === 0) return;
  const verb = users.length === 1 ? 'shows' : 'show';
  const text = `${ingressesInWords(users, scope)} ${verb} the certificate "${body.name}".`;
  throw new MeshError('certificate_in_use', text);
}
