import type { IngressId, NodeId, UpstreamHealth } from '@meshwork/contract';
import { whyNoCertificate } from '../issuing/gateway-names.ts';
import { carries } from '../mesh/abilities.ts';
import type { Stored, View } from '../mesh/model.ts';
import { isFresh, isMember, nodeState } from '../mesh/node-state.ts';
import { canInspect, policiesOf } from '../mesh/waf-policies.ts';
import { differenceOf } from '../views/difference.ts';
import type { NodeViews } from '../views/node-views.ts';
import type { NodeStatuses } from './node-statuses.ts';
import { shownProof } from './shown-proof.ts';
import type { ConnectionCounts } from './what-nodes-report.ts';

/** What gateways prove of the ingresses that they were given. */
export interface GatewayProofs extends ConnectionCounts {
  /** What a gateway found of the nodes that it sends requests to. Null: not reported. */
  upstreams(node: NodeId, ingress: IngressId): readonly UpstreamHealth[] | null;
  /** Why a gateway does not count as serving an ingress. Null: its newest heartbeats prove that it does. */
  problem(view: View, node: NodeId, ingress: IngressId): string | null;
  /**
   * Whether nothing says that a gateway which has proven to serve an ingress does so no more. It goes on while it puts a change
   * into effect, and while its agent is started anew.
   */
  goesOn(view: View, node: NodeId, ingress: IngressId): boolean;
  /** Whether its newest heartbeat has what it was last sent in effect, so that what it says of connections is about that. */
  isInEffect(view: View, node: NodeId): boolean;
  /** Another value than before: what a gateway proves may be different. */
  stateOf(node: NodeId): GatewayState;
}

/** All that proofs of one gateway follow from, beside documents. */
export type GatewayState = readonly unknown[];

interface ProofSources {
  readonly views: NodeViews;
  readonly statuses: NodeStatuses;
}

export function gatewayProofs({ views, statuses }: ProofSources): GatewayProofs {
  return {
    connections: (node, ingress) => statuses.connections(node, ingress),
    isDrained: (node, ingress) => statuses.isDrained(node, ingress),
    upstreams: (node, ingress) =>
      statuses.of(node).observed.ingress?.find(({ id }) => id === ingress)?.upstreams ?? null,
    problem: (view, id, ingress) => {
      const node = view.get('node', id);
      if (node === undefined) return 'The node is gone.';
      const absent = absence(view, node);
      if (absent !== null) return absent;
      const uncertified = whyNoCertificate(view, id, ingress);
      if (uncertified !== null) return uncertified;
      const { applied, serving, observed } = statuses.of(id);
      const difference = differenceOf(views.desired(id, 'ingress'), applied.ingress);
      if (difference !== null) return `Not in effect: ${difference}.`;
      const uninspected = whyUninspected(view, { views, statuses }, id, ingress);
      if (uninspected !== null) return uninspected;
      if (serving?.includes(ingress) === true)
        return shownProof(view, { views, statuses }, { node: id, ingress }).problem;
      const said = observed.ingress?.find((one) => one.id === ingress)?.problem;
      return said === undefined ? 'The node does not report that it serves it.' : `${capitalised(said)}.`;
    },
    goesOn: (view, id, ingress) => {
      const node = view.get('node', id);
      if (node === undefined || (absence(view, node) ?? whyNoCertificate(view, id, ingress)) !== null) return false;
      const body = view.get('ingress', ingress)?.body;
      if (body !== undefined && !canInspect(view, id, body)) return false;
      return statuses.of(id).serving?.includes(ingress) !== false;
    },
    refuses: (node, ingress) => statuses.refuses(node, ingress),
    ended: (node, ingress) => statuses.ended(node, ingress),
    isInEffect: (view, id) => {
      const node = view.get('node', id);
      if (node === undefined || absence(view, node) !== null) return false;
      return differenceOf(views.desired(id, 'ingress'), statuses.of(id).applied.ingress) === null;
    },
    stateOf: (id) => {
      const { applied, serving, shown } = statuses.of(id);
      const { revision, digest } = views.desired(id, 'ingress');
      const waf = views.desired(id, 'waf');
      const given = views.desired(id, 'given_certificates');
      const of_waf = [applied.waf, waf.revision, waf.digest];
      const of_given = [shown, applied.given_certificates, given.revision, given.digest];
      return [serving, applied.ingress, revision, digest, ...of_waf, ...of_given];
    },
  };
}

/** An ingress with a WAF policy is served only where the policies are in effect as they are now. Null: they are, or it has none. */
function whyUninspected(view: View, { views, statuses }: ProofSources, id: NodeId, ingress: IngressId): string | null {
  const body = view.get('ingress', ingress)?.body;
  if (body === undefined || policiesOf(body).length === 0) return null;
  if (!canInspect(view, id, body)) return 'The agent of the node runs no WAF.';
  const difference = differenceOf(views.desired(id, 'waf'), statuses.of(id).applied.waf);
  return difference === null ? null : `The WAF policies are not in effect: ${difference}.`;
}

/** Why nothing it said before counts. */
function absence(view: View, node: Stored<'node'>): string | null {
  if (!isMember(node.body) || !isFresh(view, node.id)) return `The node is ${nodeState(view, node)}.`;
  return carries(view, node.id, 'ingress') ? null : 'The agent of the node runs no gateway.';
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
