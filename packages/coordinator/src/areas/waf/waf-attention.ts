import { type Attention, covers, type NodeId, OLDEST_MAINTAINED_CRS } from '@meshwork/contract';
import { carries } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode, isFresh, isMember } from '../../mesh/node-state.ts';
import { policiesOf } from '../../mesh/waf-policies.ts';
import { placeOf } from '../../mesh/whole-ingress.ts';
import type { Facts, Summarizes } from '../summary.ts';
import { type RecordSources, ruleSetOf, whyNotInForce } from './policy-record.ts';

export function wafSummary(sources: Pick<RecordSources, 'views' | 'statuses'>): Summarizes {
  return {
    permitted_by: 'waf.list',
    summarize: (facts) => ({ attention: attentionTo(facts, sources) }),
  };
}

function* attentionTo(
  { model, actor }: Facts,
  sources: Pick<RecordSources, 'views' | 'statuses'>,
): Generator<Attention> {
  const gateways = new Map<string, Stored<'node'>>();
  for (const ingress of model.all('ingress')) {
    if (!covers(actor.scope, ingress.body.scope) || policiesOf(ingress.body).length === 0) continue;
    const found = (model.get('placement', ingress.id)?.body.gateways ?? []).flatMap(
      ({ node }) => model.get('node', node) ?? [],
    );
    for (const node of found) gateways.set(node.id, node);
    if (found.length === 0 && !canBeInForce(model, ingress)) yield withoutWaf(ingress);
  }
  for (const node of gateways.values()) {
    const about = {
      severity: 'notice',
      subject: { kind: 'node', id: node.id, name: node.body.name },
      since: null,
    } as const;
    const version = ruleSetOf(model, node.id);
    if (version !== null && isOld(version)) {
      yield {
        ...about,
        kind: 'waf_rule_set_old',
        title: `The WAF rule set on ${node.body.name} is no longer maintained`,
        detail: `It is version ${version} of the Core Rule Set; version ${OLDEST_MAINTAINED_CRS} is the first that is.`,
        fix: 'Install a maintained rule set on the gateway.',
      };
    }
    const problem =
      isFresh(model, node.id) && carries(model, node.id, 'waf')
        ? sources.statuses.of(node.id as NodeId).applied.waf?.error
        : undefined;
    if (problem === undefined) continue;
    yield {
      ...about,
      kind: 'waf_not_in_force',
      severity: 'warning',
      title: `WAF policies are not in force on ${node.body.name}`,
      detail: whyNotInForce(model, sources, node) ?? problem,
      fix: 'Check the agent on the gateway, and the packages of its WAF.',
    };
  }
}

/** Whether a node inside the scope of an ingress runs a WAF at all. */
function canBeInForce(view: View, { body }: Stored<'ingress'>): boolean {
  for (const node of view.all('node')) {
    if (isMember(node.body) && covers(body.scope, boundaryOfNode(node.body)) && carries(view, node.id, 'waf'))
      return true;
  }
  return false;
}

function withoutWaf({ id, body }: Stored<'ingress'>): Attention {
  return {
    kind: 'waf_not_in_force',
    severity: 'critical',
    subject: { kind: 'ingress', id, name: body.name },
    title: `No gateway can inspect requests to ${placeOf(body)}`,
    detail: 'It has a WAF policy, and no node inside its scope runs a WAF. It is not served without one.',
    since: null,
    fix: 'Install the packages of the WAF on a gateway, or take the policy from the ingress.',
  };
}

/** `3.3.4`, also with words before or after it. What has no number is not judged. */
function isOld(version: string): boolean {
  const major = /(\d+)\.\d+/.exec(version)?.[1];
  return major !== undefined && Number(major) < OLDEST_MAINTAINED_CRS;
}
