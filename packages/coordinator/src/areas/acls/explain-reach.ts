/**
 * Why a node can reach something, or why not. The walk itself is in the package `policy`; here the question is read, and
 * all that is known about its ends is put together, as far as the caller may see it.
 */

import { parseAddress } from '@meshwork/addresses';
import { covers, type Explanation, invalid, isWholeMesh } from '@meshwork/contract';
import { type ExplainFacts, explain, nearestFew, parseWanted, type Wanted } from '@meshwork/policy';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, nodeNamed } from '../../mesh/node-state.ts';
import type { Call } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { addressFacts } from './address-facts.ts';
import { type Asking, askingOf } from './asking.ts';
import { linkFacts } from './link-facts.ts';
import { lookWishes } from './look-first.ts';
import { familiesOf } from './name-families.ts';
import { nodeFacts } from './node-facts.ts';

/** Names that may have been meant, at most. */
const NEAR = 3;

export function explainReach(runtime: Runtime, call: Call<'acls.explain'>): Explanation | Promise<Explanation> {
  const question = { ...call.query, port: wantedPort(call.query.port) };
  const asking = askingOf(runtime, { scope: call.actor.scope, now_ms: call.now_ms });
  return freshExplanation(asking, question, () => call.ensureStillAllowed());
}

/**
 * Both ends are asked how things are right now, unless that is known. An answer that rests on older agents needs no waiting.
 * `waited`: called before an answer is made after waiting.
 */
export function freshExplanation(
  asking: Asking,
  question: ExplainFacts['question'],
  waited: () => void = () => undefined,
): Explanation | Promise<Explanation> {
  const { runtime } = asking;
  const facts = factsFor(asking, question);
  const wishes = lookWishes(runtime, facts);
  if (wishes.size === 0) return explanationOf(runtime, facts);
  return runtime.looks.look(wishes).then(() => {
    waited();
    return explanationOf(runtime, factsFor({ ...asking, now_ms: runtime.mesh.clock.now() }, question));
  });
}

export function factsFor(asking: Asking, question: ExplainFacts['question']): ExplainFacts {
  const { runtime, scope } = asking;
  const found = visibleNode(asking, question.from);
  return {
    question: { from: question.from, to: question.to, port: question.port },
    engine: runtime.policy.engine,
    whole_policy: isWholeMesh(scope),
    source: found === undefined ? missing(asking, question.from) : nodeFacts(asking, found),
    destination: destinationFacts(asking, found, question.to),
  };
}

export function explanationOf({ mesh }: Pick<Runtime, 'mesh'>, facts: ExplainFacts): Explanation {
  const answer = explain(facts);
  return {
    ...answer,
    steps: answer.steps.map((step) => ({ ...step })),
    fix: [...answer.fix],
    families: answer.families.map((one) => ({ ...one })),
    conditions: answer.conditions.map((one) => ({ ...one, up_to: { ...one.up_to } })),
    revision: mesh.model.revision,
  };
}

export function wantedPort(text: string | undefined): Wanted | null {
  if (text === undefined) return null;
  const wanted = parseWanted(text);
  if (wanted === undefined) throw invalid('query/port', `"${text}" is not \`tcp:22\`, \`udp:53\` or \`icmp\``);
  return wanted;
}

function destinationFacts(asking: Asking, source: Stored<'node'> | undefined, to: string): ExplainFacts['destination'] {
  if (to.startsWith('service:')) return serviceFacts(asking, source, to.slice('service:'.length));
  const address = parseAddress(to);
  if (address !== undefined) return addressFacts(asking, source, address, (node) => isVisible(asking, node));
  const node = visibleNode(asking, to);
  if (node === undefined) return missing(asking, to);
  return {
    kind: 'node',
    node: nodeFacts(asking, node),
    families: familiesOf(source, node),
    link: linkFacts(asking, source, node),
  };
}

function serviceFacts(asking: Asking, source: Stored<'node'> | undefined, name: string): ExplainFacts['destination'] {
  const { runtime } = asking;
  const nodes = runtime.directory.nodesOffering(name).flatMap((id) => runtime.mesh.model.get('node', id) ?? []);
  const candidates = nodes
    .filter((node) => isVisible(asking, node))
    .map((node) => ({ node: nodeFacts(asking, node), link: linkFacts(asking, source, node) }));
  const near = candidates.length > 0 ? [] : nearestFew(name, visibleServices(asking), NEAR);
  return { kind: 'service', name, candidates, near };
}

function* visibleServices(asking: Asking): Generator<string> {
  const { runtime } = asking;
  for (const service of runtime.directory.services()) {
    const nodes = runtime.directory.nodesOffering(service).map((id) => runtime.mesh.model.get('node', id));
    if (nodes.some((node) => node !== undefined && isVisible(asking, node))) yield service;
  }
}

export function visibleNode(asking: Asking, text: string): Stored<'node'> | undefined {
  const node = nodeNamed(asking.runtime.mesh.model, text);
  return node !== undefined && isVisible(asking, node) ? node : undefined;
}

/** What lies outside the scope of the caller is not there for it. */
function isVisible({ scope }: Asking, node: Stored<'node'>): boolean {
  return covers(scope, boundaryOfNode(node.body));
}

function missing(asking: Asking, name: string): Extract<ExplainFacts['source'], { kind: 'missing' }> {
  return { kind: 'missing', near: nearestFew(name, visibleNames(asking), NEAR) };
}

function* visibleNames(asking: Asking): Generator<string> {
  for (const node of asking.runtime.mesh.model.all('node')) {
    if (node.body.removed_at === null && isVisible(asking, node)) yield node.body.name;
  }
}
