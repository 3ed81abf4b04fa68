import { type Address, kindOfAddress, type Network, parseNetwork } from '@meshwork/addresses';
import { chooseRoutes, type RouteOption, routeOptions, routeTo } from '../routes/choose-route.ts';
import { nearestMissOf } from './check-grant.ts';
import { explainOwnNetwork } from './explain-own-network.ts';
import type { Explanation } from './explanation.ts';
import type { DestinationFacts, ExplainFacts, LinkFacts, NodeFacts, ProviderFacts } from './facts.ts';
import { isSameBoundary } from './nearest-miss.ts';
import { PolicyIndex } from './policy-index.ts';
import { Roll } from './roll.ts';
import { walk } from './walk.ts';
import { formatWanted, PING } from './wanted.ts';
import { UNSEEN, type Way } from './way.ts';

type Outside = Extract<DestinationFacts, { readonly kind: 'address' }> & { readonly parsed: Address };

const NO_LINK: LinkFacts = { near: null, far: null, near_relay: null, far_relay: null };

interface Asked {
  readonly facts: ExplainFacts;
  readonly source: NodeFacts;
  readonly outside: Outside;
}

/** An address behind the mesh, through the node that the source would send it to. */
export function explainAddress(asked: Asked): Explanation {
  const { source, outside } = asked;
  // Loopback, link-local and multicast addresses are never routed, whatever network a node forwards to.
  if (kindOfAddress(outside.address) === 'unusable') return explainUnrouted(asked);
  const own = outside.providers.find(({ node }) => node.id === source.id);
  if (own === undefined) return explainThrough(asked);
  return explainOwn(asked, `${source.name} forwards to ${own.network} itself`, own);
}

function explainUnrouted({ facts: { question }, source: { id, name }, outside: { address } }: Asked): Explanation {
  const reason = `${address} is never routed through the mesh; what becomes of it is for ${name}'s host to decide.`;
  return {
    verdict: 'unknown',
    reason,
    from: { id, name },
    to: { id: null, name: address },
    port: formatWanted(question.port ?? PING),
    grant: null,
    steps: [{ check: 'route', outcome: 'unknown', detail: reason }],
    fix: [`Check the routes and the firewall of ${name} itself.`],
    families: [],
    conditions: [],
  };
}

/**
 * Through the provider that the agent of the source chooses, by the same function. If no route leads there, through the
 * provider for which the least is missing.
 */
function explainThrough(asked: Asked): Explanation {
  const options = [...optionsOf(asked)];
  const { parsed } = asked.outside;
  const taken = routeTo(chooseRoutes(options, asked.source.accept_routes), parsed);
  const offered = ownOffer(asked, taken !== undefined);
  if (offered !== undefined)
    return explainOwn(asked, `${asked.source.name} offers ${offered} itself`, { network: offered });
  // What the source does not accept is gone through all the same, up to the step that says so.
  const route = taken ?? routeTo(chooseRoutes(options, 'all'), parsed);
  if (route !== undefined) return walk(wayThrough(asked, providerOf(asked, route)));
  // A hidden node is ignored, unless the source may go through it.
  const ways = asked.outside.providers
    .filter(({ hidden }) => !hidden)
    .toSorted((a, b) => Number(isNear(asked, b)) - Number(isNear(asked, a)) || compareText(a.node.name, b.node.name))
    .map((provider) => wayThrough(asked, provider));
  return walk(ways.length > 1 ? nearestOf(ways) : (ways[0] ?? wayThrough(asked, undefined)));
}

/** The routes that the source is sent, through the providers. */
function* optionsOf({ facts: { engine }, source, outside }: Asked): Generator<RouteOption> {
  const from = engine.cohortOf(source.id);
  for (const id of new Set(outside.providers.map(({ node }) => node.id))) {
    const to = engine.cohortOf(id);
    if (from !== undefined && to !== undefined) yield* routeOptions(id, engine.terms(from, to));
  }
}

/** Of several networks of one provider, the narrowest. */
function providerOf({ outside }: Asked, { provider }: RouteOption): ProviderFacts | undefined {
  return outside.providers
    .filter(({ node }) => node.id === provider)
    .reduce<ProviderFacts | undefined>(
      (best, next) => (best === undefined || prefixOf(next.network) > prefixOf(best.network) ? next : best),
      undefined,
    );
}

function isNear({ source }: Asked, { node }: ProviderFacts): boolean {
  return isSameBoundary(source, node);
}

function prefixOf(network: string): number {
  return parseNetwork(network)?.prefix ?? -1;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * A node that offers a network has a way there of its own, also while the network is not approved, and an agent leaves a
 * network to the host that is in it. Only of everything (`0.0.0.0/0`) no host is part: there, a route of the mesh goes
 * first. Undefined: the source offers none.
 */
function ownOffer({ source, outside }: Asked, isRouted: boolean): string | undefined {
  const own = outside.offers.filter(({ name }) => name === source.name).map(({ network }) => network);
  return own.find((network) => !isRouted || parseNetwork(network)?.prefix !== 0);
}

function nearestOf(ways: readonly Way[]): Way {
  const missing = ways.map((way) => ({ way, distance: nearestMissOf(way)?.distance ?? Infinity }));
  return missing.reduce((best, next) => (next.distance < best.distance ? next : best)).way;
}

function wayThrough({ facts, source, outside }: Asked, provider: ProviderFacts | undefined): Way {
  const { engine, question, whole_policy } = facts;
  const { address, parsed, offers, holder } = outside;
  const wanted = question.port ?? PING;
  const hidden = provider?.hidden ?? false;
  const host: Network = { family: parsed.family, base: parsed.value, prefix: parsed.family === 4 ? 32 : 128 };
  return {
    engine,
    index: PolicyIndex.of(engine.document),
    roll: Roll.of(facts),
    whole_policy,
    source: { node: source, name: source.name, hidden: false },
    target: provider && { node: provider.node, name: hidden ? UNSEEN : provider.node.name, hidden },
    behind: { address, host, network: provider?.network ?? '', is_own: provider?.is_own === true, offers, holder },
    family: parsed.family,
    wanted,
    port: formatWanted(wanted),
    link: provider?.link ?? NO_LINK,
    service: undefined,
  };
}

function explainOwn(
  asked: Asked,
  how: string,
  { network, is_own }: Pick<ProviderFacts, 'network' | 'is_own'>,
): Explanation {
  const { address, parsed } = asked.outside;
  const isItself = is_own === true || asked.source.underlay?.addresses.includes(address) === true;
  return explainOwnNetwork(wayThrough(asked, undefined), {
    address,
    parsed,
    how,
    isEverything: prefixOf(network) === 0,
    isItself,
  });
}
