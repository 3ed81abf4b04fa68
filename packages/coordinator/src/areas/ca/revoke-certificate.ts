import {
  type AuthorityId,
  covers,
  invalid,
  MeshError,
  type RevocationReason,
  utc,
  WHOLE_MESH,
} from '@meshwork/contract';
import { signingAuthority } from '../../issuing/authorities.ts';
import { refOf, type TokenActor } from '../../mesh/actor.ts';
import { revokeAllOf, revokeCertificate as revokeOne, scopeOfCertificate } from '../../mesh/node-certificates.ts';
import { boundaryOfNode, findNode } from '../../mesh/node-state.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { certificateRecord, findCertificate, isVisible } from './certificate-record.ts';

export function revokeCertificate(call: Call<'ca.revoke'>): Promise<Reply<'ca.revoke'>> {
  return call.transact((tx, actor) => {
    const certificate = findCertificate(tx, call.params.id, actor.scope);
    ensureMatches({ revision: certificateRecord(tx, certificate, tx.now_ms).revision }, call.if_match);
    revokeOne(tx, certificate, call.body.reason ?? 'unspecified', refOf(actor));
    tx.record({ target: { kind: 'certificate', id: certificate.id }, scope: scopeOfCertificate(tx, certificate.body) });
    const body = certificateRecord(tx, certificate, tx.now_ms);
    return { body, revision: body.revision };
  });
}

export function revokeAll(call: Call<'ca.revoke_all'>): Promise<Reply<'ca.revoke_all'>> {
  const { node, serial, reason = 'unspecified' } = call.body;
  if ((node === undefined) === (serial === undefined)) throw invalid('', 'must have either node or serial');
  return call.transact((tx, actor) => {
    if (serial !== undefined) return { body: { revoked: revokeSerial(tx, actor, serial, reason) } };
    const found = findNode(tx, node ?? '', actor.scope);
    const revoked = revokeAllOf(tx, found, reason, refOf(actor));
    const detail = `revoked ${revoked} certificates`;
    tx.record({ target: { kind: 'node', id: found.id }, scope: boundaryOfNode(found.body), detail });
    return { body: { revoked } };
  });
}

/** One that the mesh does not know stays revoked for as long as the authority lives: when it expires is not known. */
function revokeSerial(tx: Transaction, actor: TokenActor, serial: string, reason: RevocationReason): number {
  const holder = tx.get('claim', `serial/${serial}`)?.body.holder;
  const known = holder === undefined ? undefined : tx.get('certificate', holder);
  if (known !== undefined && isVisible(tx, actor.scope, known.body)) {
    const scope = scopeOfCertificate(tx, known.body);
    tx.record({ target: { kind: 'certificate', id: known.id }, scope });
    return revokeOne(tx, known, reason, refOf(actor)) ? 1 : 0;
  }
  if (known !== undefined || holder !== undefined || !covers(actor.scope, WHOLE_MESH)) {
    const detail = `There is no certificate with the serial number ${serial}.`;
    throw new MeshError('not_found', detail, known === undefined ? {} : { refused_as: 'outside_scope' });
  }
  const authority = signingAuthority(tx);
  if (authority === undefined) throw new MeshError('not_found', 'The mesh has no authority yet.');
  if (tx.get('revocation', serial) !== undefined) return 0;
  tx.put('revocation', serial, {
    authority: authority.id as AuthorityId,
    certificate: null,
    at: utc(tx.now_ms),
    reason,
    by: refOf(actor),
    expires_at: authority.body.not_after,
  });
  tx.record({ target: { kind: 'authority', id: authority.id }, detail: `revoked the serial number ${serial}` });
  return 1;
}
