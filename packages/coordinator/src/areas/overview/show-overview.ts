import { covers, isOpen, type Overview, PRESENT_STATES, type PresentState } from '@meshwork/contract';
import { shownState } from '../../access/shown-state.ts';
import { isExpiringSoon, speaksForPerson } from '../../access/token-state.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { policyInEffect } from '../../mesh/policy-in-effect.ts';
import { gatewayProofs } from '../../node-status/gateway-proof.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import type { Fleet } from '../fleet.ts';
import type { Call } from '../handler.ts';
import { attentionOf } from './attention.ts';
import { type Facts, gatherFacts, mayAsk } from './facts.ts';
import { isServed } from './ingress-attention.ts';
import { lastFailures } from './operation-attention.ts';

interface Parts {
  readonly mesh: Mesh;
  readonly fleet: Pick<Fleet, 'sightings' | 'views'>;
  readonly call: Pick<Call<'overview.show'>, 'actor' | 'now_ms'>;
}

export function showOverview({ mesh: { model }, fleet, call: { actor, now_ms } }: Parts): Overview {
  const { sightings } = fleet;
  const facts = gatherFacts({ model, sightings, proofs: gatewayProofs(fleet), actor, now_ms });
  return {
    revision: model.revision,
    nodes: countNodes(facts),
    operations: mayAsk(actor, 'operations.list') ? countOperations(facts) : null,
    policy: mayAsk(actor, 'acls.show') ? describePolicy(facts) : null,
    relays: mayAsk(actor, 'relays.list') ? countRelays(facts) : null,
    ingress: mayAsk(actor, 'ingress.list') ? countIngresses(facts) : null,
    tokens: mayAsk(actor, 'tokens.list') ? countTokens(facts) : null,
    ...attentionOf(facts),
  };
}

function countNodes({ model, nodes }: Facts): Overview['nodes'] {
  const by_state = Object.fromEntries(PRESENT_STATES.map((state) => [state, 0])) as Record<PresentState, number>;
  let drifting = 0;
  for (const { node, state } of nodes) {
    by_state[state] += 1;
    if (model.get('drift', node.id) !== undefined) drifting += 1;
  }
  return { total: nodes.length, by_state, drifting, pending: by_state.pending };
}

function countOperations(facts: Facts): NonNullable<Overview['operations']> {
  const open = facts.operations.filter(({ body }) => isOpen(body.state)).length;
  return { open, failed_lately: lastFailures(facts).length };
}

function describePolicy({ model }: Facts): NonNullable<Overview['policy']> {
  const { stored, document } = policyInEffect(model);
  const { groups, grants, tests, stale } = document;
  const counts = { groups: Object.keys(groups).length, grants: grants.length, tests: tests.length };
  return { version: stored?.version ?? 0, ...counts, stale };
}

function countRelays({ model, sightings }: Facts): NonNullable<Overview['relays']> {
  const healthy = [...model.all('relay')].filter((relay) => isHealthy(model, relay, sightings.measurements)).length;
  return { total: model.count('relay'), healthy };
}

function countIngresses(facts: Facts): NonNullable<Overview['ingress']> {
  const { model, actor } = facts;
  const own = [...model.all('ingress')].filter(({ body }) => covers(actor.scope, body.scope));
  return { total: own.length, served: own.filter(({ id }) => isServed(facts, id)).length };
}

function countTokens({ model, actor, now_ms }: Facts): NonNullable<Overview['tokens']> {
  let [active, expiring] = [0, 0];
  for (const token of model.all('token')) {
    const { body } = token;
    if (speaksForPerson(body) || !covers(actor.scope, body.scope)) continue;
    if (shownState(model, token, now_ms) === 'active') active += 1;
    if (isExpiringSoon(body, now_ms)) expiring += 1;
  }
  return { active, expiring };
}
