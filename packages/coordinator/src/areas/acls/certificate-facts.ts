import type { NodeId } from '@meshwork/contract';
import type { NodeFacts } from '@meshwork/policy';
import { carries } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { certificatesOf, ROTATION_ID } from '../../mesh/node-certificates.ts';
import { isMember } from '../../mesh/node-state.ts';
import { differenceOf } from '../../views/difference.ts';
import type { Asking } from './asking.ts';

type CertificateFacts = NonNullable<NodeFacts['certificate']>;

/** What a node has proven of its certificate, not what it was sent. Undefined: it is not to have one. */
export function certificateFacts({ runtime, now_ms }: Asking, node: Stored<'node'>): CertificateFacts | undefined {
  const { model } = runtime.mesh;
  const id = node.id as NodeId;
  if (!isMember(node.body) || !carries(model, id, 'certificate') || !hasAuthority(model)) return undefined;
  const { applied } = runtime.statuses.of(id);
  const isProven = (section: 'certificate' | 'trust') =>
    differenceOf(runtime.views.desired(id, section), applied[section]) === null;
  const { current, trusts } = certificatesOf(model, id);
  const certificate = current === null ? undefined : model.get('certificate', current)?.body;
  const rotation = model.get('rotation', ROTATION_ID)?.body;
  const doesTrust = rotation === undefined || trusts === rotation.to.at(-1) || isProven('trust');
  const unproven_authorities = doesTrust ? [] : rotation.to;
  if (!isProven('certificate')) {
    const state = certificate === undefined && wasRevoked(model, id) ? 'revoked' : 'unproven';
    return { state, issuer: null, unproven_authorities };
  }
  if (certificate === undefined) return { state: 'none', issuer: null, unproven_authorities };
  const state = Date.parse(certificate.not_after) <= now_ms ? 'expired' : 'valid';
  return { state, issuer: certificate.issuer, unproven_authorities };
}

function hasAuthority(view: View): boolean {
  for (const { body } of view.all('authority')) if (body.state === 'active') return true;
  return false;
}

/** Whether the last certificate of the node itself was revoked. */
function wasRevoked(view: View, node: NodeId): boolean {
  const last = certificatesOf(view, node)
    .all.map((id) => view.get('certificate', id)?.body)
    .findLast((body) => body?.profile === 'node');
  return last !== undefined && view.get('revocation', last.serial) !== undefined;
}
