import { covers, type NodeId, type Scope, WAF_ENGINES, type WafPolicy } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { isFresh, isMember, nodeState } from '../../mesh/node-state.ts';
import { pathsOf, wholeIngress } from '../../mesh/whole-ingress.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { differenceOf } from '../../views/difference.ts';
import type { NodeViews } from '../../views/node-views.ts';

/** What the record of a policy is made of, beside its document. */
export interface RecordSources {
  readonly views: NodeViews;
  readonly statuses: NodeStatuses;
  /** Ingresses by the WAF policies that they name. */
  readonly guarded: IdIndex;
}

/** As the caller sees it: ingresses outside the scope of `viewer`, and their gateways, are not named. */
export function policyRecord(
  view: View,
  { id, body, revision }: Stored<'waf'>,
  { viewer, ...sources }: RecordSources & { readonly viewer: Scope },
): WafPolicy {
  const ingresses = usersOf(view, sources.guarded, id).filter((ingress) => covers(viewer, ingress.body.scope));
  const { created_at, created_by, ...rest } = body;
  return {
    id,
    ...rest,
    used_by: ingresses.flatMap((ingress) => usesOf(ingress, id)),
    gateways: gatewaysOf(view, ingresses).map((node) => gatewayRecord(view, sources, node)),
    created_at,
    created_by,
    revision,
  };
}

/** Ingresses that name a policy, in order of id. */
function usersOf(view: View, guarded: IdIndex, policy: string): Stored<'ingress'>[] {
  return [...guarded.of(policy)].sort().flatMap((id) => view.get('ingress', id) ?? []);
}

function usesOf({ id, body }: Stored<'ingress'>, policy: string): WafPolicy['used_by'] {
  const { name, hostname } = body;
  return pathsOf(wholeIngress(body)).flatMap(({ path, waf }) =>
    waf === policy ? [{ ingress: id, name, hostname, path }] : [],
  );
}

function gatewaysOf(view: View, ingresses: readonly Stored<'ingress'>[]): Stored<'node'>[] {
  const ids = ingresses.flatMap(({ id }) => view.get('placement', id)?.body.gateways.map(({ node }) => node) ?? []);
  const nodes = [...new Set(ids)].flatMap((id) => view.get('node', id) ?? []);
  return nodes.sort((a, b) => (a.body.name < b.body.name ? -1 : 1));
}

function gatewayRecord(view: View, sources: RecordSources, node: Stored<'node'>): WafPolicy['gateways'][number] {
  const id = node.id as NodeId;
  const problem = whyNotInForce(view, sources, node);
  return { node: id, name: node.body.name, rule_set: ruleSetOf(view, id), in_force: problem === null, problem };
}

/** Null: its newest heartbeats prove that it has its policies as they are now. */
export function whyNotInForce(
  view: View,
  { views, statuses }: Pick<RecordSources, 'views' | 'statuses'>,
  node: Stored<'node'>,
): string | null {
  const id = node.id as NodeId;
  if (!isMember(node.body) || !isFresh(view, id)) return `The node is ${nodeState(view, node)}.`;
  if (!carries(view, id, 'waf')) return 'The agent of the node runs no WAF.';
  const difference = differenceOf(views.desired(id, 'waf'), statuses.of(id).applied.waf);
  return difference === null ? null : `Not in effect: ${difference}.`;
}

/** Version of the rule set that a node last reported. */
export function ruleSetOf(view: View, node: string): string | null {
  return view.get('report', node)?.body.abilities?.engines[WAF_ENGINES.rule_set] ?? null;
}
