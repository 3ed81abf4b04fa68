import { type BodyOf, covers, MeshError, type NodeId, type Operations, type WafTestResult } from '@meshwork/contract';
import { answersProbes } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode, findNode, isFresh, isMember, nodeState } from '../../mesh/node-state.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { rulesOf } from './exclusions.ts';
import { findPolicy } from './find-policy.ts';
import { faultsOfExclusion } from './sound-exclusion.ts';
import { refuse } from './sound-policy.ts';
import { assignmentOf } from './waf-section.ts';

/** Ours: how long the engine of a gateway may take, and the coordinator waits for the gateway. */
const TRIED_WITHIN_MS = 6_000;
const ANSWERED_WITHIN_MS = 9_000;

type Asked = Pick<BodyOf<Operations['waf.test']>, 'gateway'>;

/** Has gateways try requests on policies: each one at a time, for it takes a process of its own there. */
export class TryRequest {
  readonly #runtime: Pick<Runtime, 'mesh' | 'probes'>;
  readonly #busy = new Set<string>();

  constructor(runtime: Pick<Runtime, 'mesh' | 'probes'>) {
    this.#runtime = runtime;
  }

  async run(call: Call<'waf.test'>): Promise<Reply<'waf.test'>> {
    const { model } = this.#runtime.mesh;
    const { actor, body } = call;
    const policy = findPolicy(model, call.params.id, actor);
    const tried = body.exclusion ?? null;
    if (tried !== null) refuse(faultsOfExclusion('/exclusion', tried));
    const node = this.#choose(model, policy, call, body);
    const assignment = assignmentOf(policy);
    const exclusions = tried === null ? assignment.exclusions : [...assignment.exclusions, rulesOf(tried)];
    const result = await this.#ask(node, { ...assignment, exclusions }, body.request);
    return { body: { node: node.id, gateway: node.body.name, ...result } };
  }

  async #ask(
    node: Stored<'node'>,
    policy: ReturnType<typeof assignmentOf>,
    request: BodyOf<Operations['waf.test']>['request'],
  ): Promise<WafTestResult> {
    const { name } = node.body;
    this.#busy.add(node.id);
    try {
      const probe = { waf: { policy, request, within_ms: TRIED_WITHIN_MS } };
      const answer = await this.#runtime.probes.ask(node.id as NodeId, probe, ANSWERED_WITHIN_MS);
      if (answer === undefined) throw notTried(`${name} did not answer within ${ANSWERED_WITHIN_MS / 1000} seconds.`);
      if (answer.waf === undefined)
        throw notTried(`${name} could not try it: ${answer.error ?? 'it did not say why'}.`);
      return answer.waf;
    } finally {
      this.#busy.delete(node.id);
    }
  }

  /** One that serves the policy before the others, then by name. */
  #choose(view: View, policy: Stored<'waf'>, { actor }: Call<'waf.test'>, { gateway }: Asked): Stored<'node'> {
    if (gateway !== undefined) {
      const node = findNode(view, gateway, actor.scope);
      const why = whyNot(view, policy, node);
      if (why !== null) throw notTried(`${why}.`);
      if (this.#busy.has(node.id))
        throw notTried(`${node.body.name} is trying another request. Try again in a moment.`);
      return node;
    }
    const visible = [...view.all('node')].filter(({ body }) => covers(actor.scope, boundaryOfNode(body)));
    const able = visible.filter((node) => whyNot(view, policy, node) === null).sort(byName);
    const free = able.filter(({ id }) => !this.#busy.has(id));
    const [chosen] = free;
    if (chosen !== undefined) return free.find(({ id }) => servesAny(view, id)) ?? chosen;
    if (able.length > 0) throw notTried('All gateways that can are trying other requests. Try again in a moment.');
    throw notTried(whyNone(view, policy, visible));
  }
}

/** What a node is called a gateway by, here: it serves an ingress now. */
function servesAny(view: View, node: string): boolean {
  for (const { body } of view.all('placement')) if (body.gateways.some((gateway) => gateway.node === node)) return true;
  return false;
}

/** A policy is shown to no node outside of its scope. */
function whyNot(view: View, policy: Stored<'waf'>, node: Stored<'node'>): string | null {
  const { name } = node.body;
  if (!isMember(node.body) || !isFresh(view, node.id)) return `${name} is ${nodeState(view, node)}`;
  if (!covers(policy.body.scope, boundaryOfNode(node.body))) return `${name} is outside the scope of the policy`;
  return answersProbes(view, node.id, 'waf') ? null : `the agent of ${name} cannot try requests: it has no WAF`;
}

/** The node that comes nearest is named. */
function whyNone(view: View, policy: Stored<'waf'>, visible: readonly Stored<'node'>[]): string {
  const able = visible.filter(({ id }) => answersProbes(view, id, 'waf')).sort(byName);
  const reasons = able.flatMap((node) => whyNot(view, policy, node) ?? []).slice(0, 3);
  if (reasons.length > 0) return `No gateway can: ${reasons.join('; ')}.`;
  return 'No node in the scope of the caller can inspect requests. Install the packages of the WAF on a gateway.';
}

function byName(a: Stored<'node'>, b: Stored<'node'>): number {
  return a.body.name < b.body.name ? -1 : 1;
}

function notTried(detail: string): MeshError {
  return new MeshError('waf_not_tried', detail.charAt(0).toUpperCase() + detail.slice(1));
}
