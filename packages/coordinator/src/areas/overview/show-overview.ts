import { covers, MAX_ATTENTION, OPERATIONS, type Overview } from '@meshwork/contract';
import { isPermitted } from '../../access/authenticate.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Model } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState } from '../../mesh/node-state.ts';
import type { Call } from '../handler.ts';
import type { Facts, Figures, PresentNode, Summarizes } from '../summary.ts';
import { MostUrgent } from './most-urgent.ts';

type Asked = Pick<Call<'overview.show'>, 'actor' | 'now_ms'>;

/** Of what the caller may not read there are no figures. Nodes it may: it could not ask for an overview otherwise. */
const NO_FIGURES: Omit<Figures, 'nodes'> = {
  operations: null,
  policy: null,
  explain: null,
  relays: null,
  ingress: null,
  tokens: null,
};

export function showOverview(model: Model, summaries: readonly Summarizes[], { actor, now_ms }: Asked): Overview {
  const facts: Facts = { model, actor, now_ms, nodes: presentNodes(model, actor) };
  const permitted = summaries.filter(({ permitted_by }) => isPermitted(actor, OPERATIONS[permitted_by]));
  const urgent = new MostUrgent(MAX_ATTENTION);
  const figures: Partial<Figures> = {};
  for (const { summarize } of permitted) {
    const { figures: own, attention = [] } = summarize(facts);
    Object.assign(figures, own);
    for (const one of attention) urgent.add(one);
  }
  return {
    revision: model.revision,
    ...NO_FIGURES,
    ...(figures as Pick<Figures, 'nodes'>),
    attention: [...urgent.kept],
    attention_total: urgent.total,
  };
}

function presentNodes(model: Model, actor: TokenActor): readonly PresentNode[] {
  const present: PresentNode[] = [];
  for (const node of model.all('node')) {
    const state = nodeState(model, node);
    if (state !== 'removed' && covers(actor.scope, boundaryOfNode(node.body))) present.push({ node, state });
  }
  return present;
}
