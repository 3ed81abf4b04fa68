/**
 * Why a node can reach something, or why not. Start here: a question is about one node, about the best of several that
 * offer a service, or about an address that a node forwards to. `walk.ts` runs the checks along one way in order,
 * `verdict.ts` says what they come to. Where no grant allows it, `nearest-miss.ts` finds the one that comes nearest, and
 * `miss-fixes.ts` says what would help.
 *
 * It states what is known and no more. `allowed` means that both ends are there, that the policy allows it and is in effect
 * on both, and that packets get through: by what both ends said within the last seconds (`freshness.ts`). Where any of that
 * cannot be known, the answer is `unknown`. A name is judged in each of its families (`by-family.ts`).
 */
import { parseAddress } from '@meshwork/addresses';
import { walkFamilies } from './by-family.ts';
import { explainAddress } from './explain-address.ts';
import { explainItself } from './explain-itself.ts';
import type { Explanation } from './explanation.ts';
import type { DestinationFacts, ExplainFacts, LinkFacts, NodeFacts } from './facts.ts';
import { PolicyIndex } from './policy-index.ts';
import { Roll } from './roll.ts';
import { unanswered, unassigned } from './unanswered.ts';
import { formatWanted, PING, type Wanted } from './wanted.ts';
import { type AskedName, arePeers, type Way } from './way.ts';

/** What names of the mesh end in. */
const DOMAIN = 'mesh';

export function explain(facts: ExplainFacts): Explanation {
  const { source, destination } = facts;
  if (source.kind === 'missing' || destination.kind === 'missing') return unanswered(facts);
  switch (destination.kind) {
    case 'node':
      return explainNode(facts, source, destination);
    case 'service':
      return explainService(facts, source, destination);
    case 'address': {
      const address = parseAddress(destination.address);
      if (address === undefined) throw new Error(`${destination.address} is no address.`);
      if (destination.in_mesh) return unassigned(facts, source, address.family) ?? unanswered(facts);
      return explainAddress({ facts, source, outside: { ...destination, parsed: address } });
    }
  }
}

type Of<Kind extends DestinationFacts['kind']> = Extract<DestinationFacts, { readonly kind: Kind }>;

function explainNode(facts: ExplainFacts, source: NodeFacts, { node, families, link }: Of<'node'>): Explanation {
  const wanted = facts.question.port ?? PING;
  if (source.id === node.id) return explainItself(node, wanted);
  const way = wayTo(facts, source, { node, link, wanted });
  if (facts.question.to !== node.name) return walkFamilies(way, families);
  return walkFamilies({ ...way, name: nameOf(`${node.name}.${DOMAIN}`, 'node', [way]) }, families);
}

/** What it resolves to on the source: a node knows the names of its peers. */
function nameOf(name: string, kind: AskedName['kind'], ways: readonly Way[]): AskedName {
  const known = ways.filter(arePeers);
  const addresses = known.flatMap(({ source, target }) => {
    const six = source.node.address6 === null ? null : target?.node.address6;
    return [target?.node.address, six].filter((address) => typeof address === 'string');
  });
  return { name, kind, addresses };
}

/** Of several nodes that offer it, the best is explained: one that can be reached, then one that perhaps can. */
function explainService(facts: ExplainFacts, source: NodeFacts, service: Of<'service'>): Explanation {
  const { name, candidates } = service;
  const others = candidates.filter(({ node }) => node.id !== source.id);
  const [own] = candidates;
  if (own === undefined) return unanswered(facts);
  if (others.length === 0) return explainItself(own.node, facts.question.port ?? bindingOf(own.node, name));
  const ways = others
    .toSorted((a, b) => compareText(a.node.name, b.node.name))
    .map(({ node, link }) => ({ node, link, wanted: facts.question.port ?? bindingOf(node, name) }))
    .map((goal) => ({ ...wayTo(facts, source, goal), node: goal.node }));
  const sound = ways.filter(({ node }) => !isFailing(node, name));
  const asked = nameOf(`${name}.svc.${DOMAIN}`, 'service', sound);
  let best: Explanation | undefined;
  for (const { node, ...way } of ways) {
    const families = source.address6 === null || node.address6 === null ? [4 as const] : [4 as const, 6 as const];
    const answer = walkFamilies({ ...way, service: { name, offered: candidates.length }, name: asked }, families);
    if (answer.verdict === 'allowed') return answer;
    if (best === undefined || (best.verdict === 'denied' && answer.verdict === 'unknown')) best = answer;
  }
  return best ?? unanswered(facts);
}

/** Then names leave it out. */
function isFailing({ services }: NodeFacts, name: string): boolean {
  return services.find((service) => service.name === name)?.health === 'failing';
}

function bindingOf({ services }: NodeFacts, name: string): Wanted {
  return services.find((service) => service.name === name) ?? PING;
}

interface Goal {
  readonly node: NodeFacts;
  readonly link: LinkFacts;
  readonly wanted: Wanted;
}

function wayTo(facts: ExplainFacts, source: NodeFacts, { node, link, wanted }: Goal): Way {
  const { engine, whole_policy } = facts;
  return {
    engine,
    index: PolicyIndex.of(engine.document),
    roll: Roll.of(facts),
    whole_policy,
    source: { node: source, name: source.name, hidden: false },
    target: { node, name: node.name, hidden: false },
    behind: undefined,
    family: 4,
    wanted,
    port: formatWanted(wanted),
    link,
    service: undefined,
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
