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
import type { Asking } from './asking.ts';
import { linkFacts } from './link-facts.ts';
import { nodeFacts } from './node-facts.ts';

/** Names that may have been meant, at most. */
const NEAR = 3;

export function explainReach(runtime: Runtime, call: Call<'acls.explain'>): Explanation {
  const { from, to } = call.query;
  const asking: Asking = { runtime, scope: call.actor.scope, now_ms: call.now_ms };
  const found = visibleNode(asking, from);
  const source = found === undefined ? missing(asking, from) : nodeFacts(asking, found);
  const answer = explain({
    question: { from, to, port: wantedPort(call.query.port) },
    engine: runtime.policy.engine,
    whole_policy: isWholeMesh(asking.scope),
    source,
    destination: destinationFacts(asking, found, to),
  });
  return {
    ...answer,
    steps: answer.steps.map((step) => ({ ...step })),
    fix: [...answer.fix],
    families: answer.families.map((one) => ({ ...one })),
    conditions: answer.conditions.map((one) => ({ ...one, up_to: { ...one.up_to } })),
    revision: runtime.mesh.model.revision,
  };
}

function wantedPort(text: string | undefined): Wanted | null {
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
  return { kind: 'node', node: nodeFacts(asking, node), families: [4], link: linkFacts(asking, source, node) };
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

function visibleNode(asking: Asking, text: string): Stored<'node'> | undefined {
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
