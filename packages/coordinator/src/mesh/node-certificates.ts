/**
 * The certificates of a node, as several areas touch them: agents bring requests, and a node that is removed or quarantined loses
 * all that it has. Signing is in `areas/ca/`.
 */
import { hash } from 'node:crypto';
import {
  type ActorRef,
  type AuthorityId,
  type CertificateId,
  type NodeId,
  type RevocationReason,
  type Scope,
  utc,
  WHOLE_MESH,
} from '@meshwork/contract';
import type { CertificateDocument, NodeCertificateDocument } from '../kinds/ca.ts';
import { carries } from './abilities.ts';
import type { Stored, View } from './model.ts';
import { boundaryOfNode } from './node-state.ts';
import type { Transaction } from './transaction.ts';

const NONE: NodeCertificateDocument = {
  request: null,
  request_sha256: null,
  refused: null,
  current: null,
  issued_at: null,
  all: [],
};

export function certificatesOf(view: View, node: string): NodeCertificateDocument {
  return view.get('node_certificate', node)?.body ?? NONE;
}

/** The certificate request of a report, if it is not known yet. An agent repeats what it says until it was answered. */
export function newRequest(view: View, node: NodeId, request: string | undefined): string | undefined {
  if (request === undefined) return undefined;
  return certificatesOf(view, node).request_sha256 === hash('sha256', request) ? undefined : request;
}

/** Keeps the certificate request of a node until it is signed. A newer one takes the place of one that waits. */
export function keepRequest(tx: Transaction, node: Stored<'node'>, request: string): void {
  const request_sha256 = hash('sha256', request);
  tx.put('node_certificate', node.id, { ...certificatesOf(tx, node.id), request, request_sha256, refused: null });
}

/** The id of the one rotation document. */
export const ROTATION_ID = 'ca';

/**
 * The newest authority of a rotation, if a node with what it is sent in effect has proven by that to trust it. Undefined: there is
 * no rotation, it is proven already, or nodes are not sent everything of it yet. It counts after the switch too: that did not wait for nodes
 * which were overdue, nor for any at its deadline.
 */
export function newlyTrusted(view: View, node: NodeId): AuthorityId | undefined {
  const rotation = view.get('rotation', ROTATION_ID)?.body;
  if (rotation === undefined) return undefined;
  const newest = rotation.to.at(-1);
  if (newest === undefined || certificatesOf(view, node).trusts === newest) return undefined;
  const isPublished = rotation.to.every((id) => view.get('revocation_list', id) !== undefined);
  return isPublished && carries(view, node, 'trust') ? newest : undefined;
}

/** So that every coordinator knows it, also after a restart. */
export function keepTrusted(tx: Transaction, node: Stored<'node'>, trusts: AuthorityId): void {
  tx.put('node_certificate', node.id, { ...certificatesOf(tx, node.id), trusts });
}

/** Revokes every certificate that names a node. Says how many. */
export function revokeAllOf(tx: Transaction, node: Stored<'node'>, reason: RevocationReason, by: ActorRef): number {
  const { all } = certificatesOf(tx, node.id);
  const revoked = all.filter((id) => {
    const certificate = tx.get('certificate', id);
    return certificate !== undefined && revokeCertificate(tx, certificate, reason, by);
  });
  // What waits was asked for by the node that is cut off.
  if (tx.get('node_certificate', node.id) !== undefined) {
    tx.put('node_certificate', node.id, { ...certificatesOf(tx, node.id), request: null, current: null });
  }
  return revoked.length;
}

/** False: it was revoked already, or has expired, and nothing changes. */
export function revokeCertificate(
  tx: Transaction,
  { id, body }: Stored<'certificate'>,
  reason: RevocationReason,
  by: ActorRef,
): boolean {
  const { serial, issuer, profile, not_after, names } = body;
  if (tx.get('revocation', serial) !== undefined || Date.parse(not_after) <= tx.now_ms) return false;
  const certificate = id as CertificateId;
  tx.put('revocation', serial, {
    authority: issuer,
    certificate,
    at: utc(tx.now_ms),
    reason,
    by,
    expires_at: not_after,
  });
  for (const node of body.nodes) {
    const own = tx.get('node_certificate', node)?.body;
    if (own?.current === certificate) tx.put('node_certificate', node, { ...own, current: null });
    takeFromGateway(tx, node, certificate, reason);
  }
  tx.emit({
    type: 'certificate.revoked',
    subject: { kind: 'certificate', id },
    scope: scopeOfCertificate(tx, body),
    data: { name: names.dns[0] ?? names.uris[0] ?? serial, profile, serial, reason },
  });
  return true;
}

/** A key that others may have is not certified once more: the gateway has to make another one. */
function takeFromGateway(tx: Transaction, node: string, certificate: CertificateId, reason: RevocationReason): void {
  const own = tx.get('gateway_certificate', node)?.body;
  const all = [...Object.values(own?.current ?? {}), ...Object.values(own?.before ?? {})];
  if (own === undefined || !all.includes(certificate)) return;
  const without = (some: typeof own.current) =>
    Object.fromEntries(Object.entries(some).filter(([, id]) => id !== certificate));
  const isNewest = Object.values(own.current).includes(certificate);
  const refused = 'Its key was revoked as compromised. Remove it on the gateway, whose agent then makes another one.';
  const lost = reason === 'key_compromise' && isNewest ? { request: null, refused } : {};
  tx.put('gateway_certificate', node, { ...own, current: without(own.current), before: without(own.before), ...lost });
}

/** Who may know of it: those whose scope covers the nodes or the ingresses that it names. */
export function scopeOfCertificate(view: View, { nodes, of_ingresses }: CertificateDocument): Scope {
  if (of_ingresses !== undefined) return of_ingresses.scope;
  const [first, ...rest] = nodes.map((id) => view.get('node', id));
  if (first === undefined) return WHOLE_MESH;
  const boundary = boundaryOfNode(first.body);
  const text = JSON.stringify(boundary);
  const isOne = rest.every((node) => node !== undefined && JSON.stringify(boundaryOfNode(node.body)) === text);
  return isOne ? boundary : WHOLE_MESH;
}
