import { hash } from 'node:crypto';
import {
  type Certificate,
  type CertificateId,
  type CertificateWithChain,
  covers,
  MeshError,
  type Scope,
  utc,
  WHOLE_MESH,
} from '@meshwork/contract';
import { chainOf } from '../../issuing/authorities.ts';
import { certificateState } from '../../issuing/certificate-state.ts';
import type { CertificateDocument } from '../../kinds/ca.ts';
import { shownFor } from '../../mesh/gateway-certificates.ts';
import { certificatesOfIngress } from '../../mesh/ingress-certificates.ts';

import type { Stored, View } from '../../mesh/model.ts';
import { certificatesOf } from '../../mesh/node-certificates.ts';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import { renewalOf } from './sections.ts';

export function certificateRecord(view: View, stored: Stored<'certificate'>, now_ms: number): Certificate {
  const { id, body } = stored;
  const revocation = view.get('revocation', body.serial)?.body;
  const state = certificateState(view, body, now_ms);
  const current = state === 'valid' && isCurrent(view, stored);
  return {
    id,
    serial: body.serial,
    profile: body.profile,
    state,
    names: { dns: [...body.names.dns], addresses: [...body.names.addresses], uris: [...body.names.uris] },
    nodes: [...body.nodes],
    ingresses: [...(body.of_ingresses?.ids ?? [])],
    current,
    key_type: body.key_type,
    issuer: body.issuer,
    fingerprint: hash('sha256', Buffer.from(body.certificate, 'base64')),
    not_before: body.not_before,
    not_after: body.not_after,
    renews_at: current && isRenewed(body) ? utc(renewalOf(view, stored)) : null,
    requested_by: body.requested_by,
    revoked: revocation === undefined ? null : { at: revocation.at, reason: revocation.reason, by: revocation.by },
    revision: Math.max(stored.revision, view.get('revocation', body.serial)?.revision ?? 0),
  };
}

export function certificateWithChain(view: View, stored: Stored<'certificate'>, now_ms: number): CertificateWithChain {
  return { ...certificateRecord(view, stored, now_ms), chain: chainOf(view, stored) };
}

/** Whether the coordinator sees to its renewal: that of a node, and that of an ingress on a gateway. */
function isRenewed({ profile, nodes }: CertificateDocument): boolean {
  return profile === 'node' || (profile === 'ingress' && nodes.length > 0);
}

/** Of a node or a gateway: whether it should use it. Of a service or an ingress: whether no newer one has the same names. */
export function isCurrent(view: View, { id, body }: Stored<'certificate'>): boolean {
  const [node] = body.nodes;
  const [ingress] = body.of_ingresses?.ids ?? [];
  if (node === undefined && ingress === undefined) return false;
  if (body.profile === 'node') return certificatesOf(view, node ?? '').current === id;
  if (body.profile === 'ingress' && node !== undefined) return shownFor(view, node, ingress ?? '')?.id === id;
  const all = ingress === undefined ? certificatesOf(view, node ?? '').all : certificatesOfIngress(view, ingress);
  const names = JSON.stringify(body.names);
  const isSame = (other: CertificateId) => {
    const found = view.get('certificate', other)?.body;
    return found?.profile === body.profile && JSON.stringify(found.names) === names;
  };
  return all.findLast(isSame) === id;
}

/** Whether a caller may know of it: its scope covers every node or ingress that it names. */
export function isVisible(view: View, scope: Scope, { nodes, of_ingresses }: CertificateDocument): boolean {
  if (of_ingresses !== undefined) return covers(scope, of_ingresses.scope);
  return nodes.every((id) => {
    const node = view.get('node', id);
    return covers(scope, node === undefined ? WHOLE_MESH : boundaryOfNode(node.body));
  });
}

export function findCertificate(view: View, id: string, scope: Scope): Stored<'certificate'> {
  const found = view.get('certificate', id);
  const detail = `There is no certificate "${id}".`;
  if (found === undefined) throw new MeshError('not_found', detail);
  if (!isVisible(view, scope, found.body)) throw new MeshError('not_found', detail, { refused_as: 'outside_scope' });
  return found;
}
