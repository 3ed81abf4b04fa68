import { covers, type GivenCertificate, type IngressId, type NodeId, type Scope } from '@meshwork/contract';
import { isFor } from '../../mesh/given-certificates.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { Stored, View } from '../../mesh/model.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { shownProof } from '../../node-status/shown-proof.ts';
import type { NodeViews } from '../../views/node-views.ts';
import { stateOf, warningsOf } from './given-state.ts';

/** What the record of a certificate is made of, beside its document. */
export interface RecordSources {
  readonly views: NodeViews;
  readonly statuses: NodeStatuses;
  /** Ingresses by the given certificates that they show. */
  readonly showing: IdIndex;
}

interface Asked extends RecordSources {
  readonly viewer: Scope;
  readonly now_ms: number;
}

/** As the caller sees it: ingresses outside the scope of `viewer`, and their gateways, are not named. The key is in no record. */
export function givenRecord(
  view: View,
  { id, body, revision }: Stored<'given_certificate'>,
  { viewer, now_ms, ...sources }: Asked,
): GivenCertificate {
  const { key: _, chain, self_signed: __, names, ...rest } = body;
  const users = [...sources.showing.of(id)]
    .sort()
    .flatMap((ingress) => view.get('ingress', ingress) ?? [])
    .filter((ingress) => covers(viewer, ingress.body.scope));
  return {
    id,
    ...rest,
    names: [...names],
    ...issuedBy(view, id),
    issuers: (chain.match(/-----BEGIN CERTIFICATE-----/g)?.length ?? 1) - 1,
    state: stateOf(body, now_ms),
    warnings: warningsOf(body, now_ms),
    used_by: users.map((ingress) => ({
      ingress: ingress.id,
      name: ingress.body.name,
      hostname: ingress.body.hostname,
      covered: isFor(names, ingress.body.hostname),
    })),
    shown_by: users.flatMap((ingress) => shownBy(view, ingress.id as IngressId, sources)),
    revision,
  };
}

/** Where it comes from, if an outside authority issued it: its order has the same id. */
function issuedBy(view: View, id: string): Pick<GivenCertificate, 'authority' | 'renew_at'> {
  const order = view.get('certificate_order', id)?.body;
  const authority = order && view.get('outside_authority', order.authority);
  if (order === undefined || authority === undefined) return { authority: null, renew_at: null };
  return { authority: { id: authority.id, name: authority.body.name }, renew_at: order.renewal?.at ?? null };
}

function shownBy(view: View, ingress: IngressId, sources: RecordSources): GivenCertificate['shown_by'] {
  const gateways = view.get('placement', ingress)?.body.gateways ?? [];
  return gateways.flatMap(({ node }) => {
    const name = view.get('node', node)?.body.name;
    if (name === undefined) return [];
    const { fingerprint, problem } = shownProof(view, sources, { node: node as NodeId, ingress });
    return [{ node, name, ingress, fingerprint, current: problem === null, problem }];
  });
}
