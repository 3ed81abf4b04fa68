/** The certificates of an account: to download, and to revoke (RFC 8555, 7.4.2 and 7.6). */
import { X509Certificate } from 'node:crypto';
import type { RevocationReason } from '@meshwork/contract';
import { chainOf } from '../../issuing/authorities.ts';
import { certificateState } from '../../issuing/certificate-state.ts';
import { type Actor, refOf } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { revokeCertificate, scopeOfCertificate } from '../../mesh/node-certificates.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { AcmeAnswer, AcmeCall } from './acme-call.ts';
import { AcmeError, malformed, notFound } from './acme-error.ts';
import { authorizationStatus } from './authorizations.ts';
import { authorizationKey } from './desk.ts';
import { thumbprintOfKey } from './jwk.ts';

const MAX_CERTIFICATE = 16 * 1024;

/** Of RFC 5280, as the mesh names them. The others are not for the holder of a certificate to give. */
const REASONS: Readonly<Record<number, RevocationReason>> = {
  0: 'unspecified',
  1: 'key_compromise',
  3: 'affiliation_changed',
  4: 'superseded',
  5: 'cessation_of_operation',
  9: 'privilege_withdrawn',
};

/** Who revokes by the key of a certificate alone: it may be anyone: the certificate is not to be trusted any more. */
const KEY_HOLDER = { kind: 'system', name: 'holder of the private key' } as const;

export function downloadCertificate(call: AcmeCall, [id = '']: readonly string[]): AcmeAnswer {
  call.ensureReads();
  const { model } = call.desk.mesh;
  const certificate = model.get('certificate', id);
  if (certificate === undefined || certificate.body.account !== call.account_id) throw notFound('certificate');
  return { type: 'application/pem-certificate-chain', body: chainOf(model, certificate) };
}

/** By the account that it was issued to, by one that has proven all of its names, or by the key of the certificate. */
export async function revokeOwn(call: AcmeCall): Promise<AcmeAnswer> {
  const { certificate: text, reason: code } = call.fields;
  const reason = reasonOf(code);
  const { given, serial } = readCertificate(text);
  const find = (view: View) => {
    const holder = view.get('claim', `serial/${serial}`)?.body.holder;
    const found = holder === undefined ? undefined : view.get('certificate', holder);
    if (found === undefined || !given.raw.equals(Buffer.from(found.body.certificate, 'base64')))
      throw notFound('certificate');
    return found;
  };
  find(call.desk.mesh.model);
  const revoke = (tx: Transaction, by: Actor) => {
    const found = find(tx);
    const state = certificateState(tx, found.body, tx.now_ms);
    if (state === 'revoked') throw new AcmeError('alreadyRevoked', 'The certificate was revoked already.');
    if (state === 'expired') throw malformed('The certificate has expired. There is nothing to revoke.');
    tx.record({ target: { kind: 'certificate', id: found.id }, scope: scopeOfCertificate(tx, found.body) });
    revokeCertificate(tx, found, reason, refOf(by));
  };
  if (call.signed.account === undefined) {
    const isItsKey = thumbprintOfKey(given.publicKey) === call.signed.key.thumbprint;
    if (!isItsKey) throw new AcmeError('unauthorized', 'The request is not signed with the key of the certificate.');
    await call.transactAs(KEY_HOLDER, (tx) => revoke(tx, KEY_HOLDER));
  } else {
    await call.transact((tx, actor) => {
      ensureMayRevoke(call, tx, find(tx));
      revoke(tx, actor);
    });
  }
  return { status: 200 };
}

function ensureMayRevoke(call: AcmeCall, tx: Transaction, { body }: Stored<'certificate'>): void {
  const { account_id: account, desk } = call;
  if (body.account === account) return;
  const isProven = (name: string) =>
    [...desk.indexes.authorizations.of(authorizationKey({ account, name }))].some(
      (id) => authorizationStatus(tx, tx.get('acme_authorization', id), tx.now_ms) === 'valid',
    );
  const { dns, addresses, uris } = body.names;
  if (addresses.length + uris.length === 0 && dns.length > 0 && dns.every(isProven)) return;
  throw new AcmeError(
    'unauthorized',
    'The certificate is not one of this account, and its names are not proven by it.',
  );
}

function reasonOf(code: unknown): RevocationReason {
  const reason = code === undefined ? 'unspecified' : typeof code === 'number' ? REASONS[code] : undefined;
  if (reason !== undefined) return reason;
  throw new AcmeError('badRevocationReason', `The reason is one of ${Object.keys(REASONS).join(', ')}.`);
}

function readCertificate(text: unknown): { readonly given: X509Certificate; readonly serial: string } {
  if (typeof text === 'string' && text.length <= MAX_CERTIFICATE && /^[\w-]+$/.test(text)) {
    try {
      const given = new X509Certificate(Buffer.from(text, 'base64url'));
      return { given, serial: given.serialNumber.toLowerCase() };
    } catch {
      // said below
    }
  }
  throw malformed('certificate is DER in base64url.');
}
