/** Everything that the master key seals. What is not here is not sealed anew when the key is turned over. */
import { sealedBy } from '@meshwork/service';
import { INSTALLATION_ID } from './mesh-id.ts';
import type { View } from './model.ts';
import type { Transaction } from './transaction.ts';

export const DATA_KEY_SEALED_FOR = `installation/${INSTALLATION_ID}/data_key`;

/** There is one at most. */
export const INTERMEDIATE_REQUEST_ID = 'ca';
export const REQUEST_SEALED_FOR = `intermediate_request/${INTERMEDIATE_REQUEST_ID}`;

export function authoritySealedFor(id: string): string {
  return `authority/${id}`;
}

export function relaySealedFor(name: string): string {
  return `relay/${name}`;
}

export function givenSealedFor(id: string): string {
  return `given_certificate/${id}`;
}

/** The key for external account binding. */
export function bindingSealedFor(authority: string): string {
  return `outside_authority/${authority}/eab`;
}

export function accountSealedFor(id: string): string {
  return `outside_account/${id}`;
}

/** The key that a certificate was asked for with, until it has come. */
export function orderSealedFor(id: string): string {
  return `certificate_order/${id}`;
}

/** Seals an envelope anew: gives back another one for the same. */
type Reseal = (envelope: string, bound_to: string) => string;

/** Puts each envelope that `reseal` changes in place of the one there is. The installation itself is its caller's. */
export function resealDocuments(tx: Transaction, reseal: Reseal): void {
  for (const { id, body } of [...tx.all('authority')]) {
    if (body.key === null) continue;
    const key = reseal(body.key, authoritySealedFor(id));
    if (key !== body.key) tx.put('authority', id, { ...body, key });
  }
  for (const { id, body } of [...tx.all('intermediate_request')]) {
    const key = reseal(body.key, REQUEST_SEALED_FOR);
    if (key !== body.key) tx.put('intermediate_request', id, { ...body, key });
  }
  for (const { id, body } of [...tx.all('relay')]) {
    if (body.secret === undefined) continue;
    const secret = reseal(body.secret, relaySealedFor(id));
    if (secret !== body.secret) tx.put('relay', id, { ...body, secret });
  }
  for (const { id, body } of [...tx.all('given_certificate')]) {
    const key = reseal(body.key, givenSealedFor(id));
    if (key !== body.key) tx.put('given_certificate', id, { ...body, key });
  }
  for (const { id, body } of [...tx.all('outside_authority')]) {
    if (body.eab_key === null) continue;
    const eab_key = reseal(body.eab_key, bindingSealedFor(id));
    if (eab_key !== body.eab_key) tx.put('outside_authority', id, { ...body, eab_key });
  }
  for (const { id, body } of [...tx.all('outside_account')]) {
    const key = reseal(body.key, accountSealedFor(id));
    if (key !== body.key) tx.put('outside_account', id, { ...body, key });
  }
  for (const { id, body } of [...tx.all('certificate_order')]) {
    if (body.key === null) continue;
    const key = reseal(body.key, orderSealedFor(id));
    if (key !== body.key) tx.put('certificate_order', id, { ...body, key });
  }
}

/** The master keys that the store needs, by what they are named: the one that seals first. */
export function neededKeys(view: View): readonly string[] {
  const installation = view.get('installation', INSTALLATION_ID)?.body;
  const envelopes = [
    ...(installation?.data_keys ?? []).map(({ key }) => key),
    ...[...view.all('authority')].flatMap(({ body }) => body.key ?? []),
    ...[...view.all('intermediate_request')].map(({ body }) => body.key),
    ...[...view.all('relay')].flatMap(({ body }) => body.secret ?? []),
    ...[...view.all('given_certificate')].map(({ body }) => body.key),
    ...[...view.all('outside_authority')].flatMap(({ body }) => body.eab_key ?? []),
    ...[...view.all('outside_account')].map(({ body }) => body.key),
    ...[...view.all('certificate_order')].flatMap(({ body }) => body.key ?? []),
  ];
  const sealing = installation === undefined ? [] : [sealingCheck(installation)];
  return [...new Set([...sealing, ...envelopes.map((envelope) => sealedBy(envelope))])];
}

/** The name of the master key that seals now. */
export function sealingCheck(installation: { readonly master_key_check: string; readonly sealed_by?: string }): string {
  return installation.sealed_by ?? installation.master_key_check;
}
