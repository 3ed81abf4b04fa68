import type { IngressId, NodeId } from '@meshwork/contract';
import { givenBy, whyNotGiven } from '../mesh/given-certificates.ts';
import type { View } from '../mesh/model.ts';
import { differenceOf } from '../views/difference.ts';
import type { NodeViews } from '../views/node-views.ts';
import type { NodeStatuses } from './node-statuses.ts';

interface ProofSources {
  readonly views: NodeViews;
  readonly statuses: NodeStatuses;
}

/** Whether a gateway proves that clients of an ingress get the given certificate that it names, as it found in a handshake with itself. */
interface ShownProof {
  /** SHA-256 of what they get. Null: not reported. */
  readonly fingerprint: string | null;
  /** Null: it is proven, or the ingress shows no given certificate. */
  readonly problem: string | null;
}

export function shownProof(
  view: View,
  { views, statuses }: ProofSources,
  { node, ingress }: { readonly node: NodeId; readonly ingress: IngressId },
): ShownProof {
  const body = view.get('ingress', ingress)?.body;
  const given = body === undefined ? undefined : givenBy(body);
  const { applied, shown } = statuses.of(node);
  const fingerprint = shown?.[ingress] ?? null;
  if (given === undefined) return { fingerprint, problem: null };
  const wanted = view.get('given_certificate', given)?.body.fingerprint;
  if (body === undefined || wanted === undefined) {
    return { fingerprint, problem: (body && whyNotGiven(view, body)) ?? 'The ingress is gone.' };
  }
  const difference = differenceOf(views.desired(node, 'given_certificates'), applied.given_certificates);
  if (difference !== null) return { fingerprint, problem: `The certificate is not in effect: ${difference}.` };
  if (fingerprint === wanted) return { fingerprint, problem: null };
  const problem =
    fingerprint === null
      ? 'The gateway has not reported which certificate clients get.'
      : 'Clients get another certificate there.';
  return { fingerprint, problem };
}
