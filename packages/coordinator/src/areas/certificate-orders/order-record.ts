import type { CertificateOrder, Scope } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { ingressesOf } from './find-order.ts';

/** As the caller sees it: ingresses outside the scope of `viewer` are not named. No key is in a record. */
export function orderRecord(view: View, order: Stored<'certificate_order'>, viewer: Scope): CertificateOrder {
  const { id, body, revision } = order;
  const { hostname, scope, state, step, staging, attempts, problem, next_at, issued_at, created_at, renewal } = body;
  return {
    id,
    hostname,
    scope,
    authority: { id: body.authority, name: view.get('outside_authority', body.authority)?.body.name ?? body.authority },
    ingresses: ingressesOf(view, order, viewer).map((ingress) => ({ id: ingress.id, name: ingress.body.name })),
    state,
    step,
    staging,
    attempts,
    problem,
    next_at: state === 'issued' ? (renewal?.at ?? null) : state === 'under_way' ? null : next_at,
    renewal: renewal === null ? null : { at: renewal.at, by: renewal.by, explanation_url: renewal.explanation_url },
    not_after: view.get('given_certificate', id)?.body.not_after ?? null,
    issued_at,
    created_at,
    revision,
  };
}
