import { type Address, type Network, parseNetwork } from '../document/network.ts';
import { nearestMissOf } from './check-grant.ts';
import { routeOf } from './check-route.ts';
import type { Explanation } from './explanation.ts';
import type { DestinationFacts, ExplainFacts, LinkFacts, NodeFacts, ProviderFacts } from './facts.ts';
import { isSameBoundary } from './nearest-miss.ts';
import { PolicyIndex } from './policy-index.ts';
import { Roll } from './roll.ts';
import { walk } from './walk.ts';
import { formatWanted, PING } from './wanted.ts';
import { type Rival, UNSEEN, type Way } from './way.ts';

type Outside = Extract<DestinationFacts, { readonly kind: 'address' }> & { readonly parsed: Address };

const NO_LINK: LinkFacts = { near: null, far: null, near_relay: null, far_relay: null };

interface Asked {
  readonly facts: ExplainFacts;
  readonly source: NodeFacts;
  readonly outside: Outside;
}

/** An address behind the mesh, through whoever the source would send it to. */
export function explainAddress(asked: Asked): Explanation {
  const { facts, source, outside } = asked;
  const own = outside.providers.find(({ node }) => node.id === source.id);
  if (own === undefined) return explainThrough(asked);
  return explainOwn(facts, source, `${source.name} forwards to ${own.network} itself`);
}

/**
 * WireGuard sends a packet where the narrowest network leads, whatever is allowed there. If nothing leads there, the one
 * is told about through whom the least is missing.
 */
function explainThrough(asked: Asked): Explanation {
  const all = asked.outside.providers.map((provider) => {
    const way = wayThrough(asked, provider);
    const isNear = isSameBoundary(asked.source, provider.node);
    return { way, prefix: routeOf(way)?.prefix ?? -1, isNear, name: provider.node.name };
  });
  // Who may not be seen is as if it was not there, unless the source may go through it.
  const ways = all.filter(({ way, prefix }) => way.target?.hidden === false || prefix >= 0);
  const narrowest = Math.max(-1, ...ways.map(({ prefix }) => prefix));
  const offered = ownOffer(asked, narrowest);
  if (offered !== undefined)
    return explainOwn(asked.facts, asked.source, `${asked.source.name} offers ${offered} itself`);
  const leading = ways
    .filter(({ prefix }) => prefix === narrowest)
    .sort((a, b) => Number(b.isNear) - Number(a.isNear) || (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({ way }) => way);
  const [first, second] = leading;
  if (first === undefined) return walk(wayThrough(asked, undefined));
  if (second === undefined) return walk(first);
  return narrowest >= 0 ? explainTie(leading) : walk(nearestOf(leading));
}

/**
 * Who offers to forward to a network has a way there of its own, also while nobody lets it forward, and an agent leaves a
 * network to the host that is in it. Only of everything (`0.0.0.0/0`) nobody is part: there, what the mesh leads to goes
 * first. Undefined: the source offers none.
 */
function ownOffer({ source, outside }: Asked, narrowest: number): string | undefined {
  const own = outside.offers.filter(({ name }) => name === source.name).map(({ network }) => network);
  return own.find((network) => narrowest < 0 || parseNetwork(network)?.prefix !== 0);
}

/** Several have a network of the same size for it. Where it matters which one is used, nobody can say what happens. */
function explainTie(ways: readonly Way[]): Explanation {
  const answers = ways.map((way) => ({ way, answer: walk(way) }));
  const [first] = answers;
  const isSettled = answers.every(({ answer }) => answer.verdict === first?.answer.verdict);
  if (first !== undefined && isSettled) return first.answer;
  const best = answers.reduce((a, b) => (FAVOUR[b.answer.verdict] < FAVOUR[a.answer.verdict] ? b : a));
  const rivals = answers
    .filter((one) => one !== best)
    .map(({ way, answer }): Rival => {
      const otherwise = answer.verdict === best.answer.verdict ? undefined : answer.reason;
      return { name: way.target?.name ?? UNSEEN, otherwise };
    });
  return walk({ ...best.way, behind: best.way.behind && { ...best.way.behind, rivals } });
}

const FAVOUR: Readonly<Record<Explanation['verdict'], number>> = { allowed: 0, unknown: 1, denied: 2 };

function nearestOf(ways: readonly Way[]): Way {
  const missing = ways.map((way) => ({ way, distance: nearestMissOf(way)?.distance ?? Infinity }));
  return missing.reduce((best, next) => (next.distance < best.distance ? next : best)).way;
}

function wayThrough({ facts, source, outside }: Asked, provider: ProviderFacts | undefined): Way {
  const { engine, question, whole_policy } = facts;
  const { address, parsed, offers } = outside;
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
    behind: { address, host, network: provider?.network ?? '', is_own: provider?.is_own === true, offers, rivals: [] },
    family: parsed.family,
    wanted,
    port: formatWanted(wanted),
    link: provider?.link ?? NO_LINK,
    service: undefined,
  };
}

/** A network that a node is in, it gets to by its own interfaces, and the mesh has no part in that. */
function explainOwn({ question }: ExplainFacts, { id, name }: NodeFacts, how: string): Explanation {
  const reason = `${how}, and gets there without the mesh, which knows nothing of that way.`;
  return {
    verdict: 'unknown',
    reason,
    from: { id, name },
    to: { id, name },
    port: formatWanted(question.port ?? PING),
    grant: null,
    steps: [{ check: 'route', outcome: 'unknown', detail: reason }],
    fix: [`Look at the routes and the firewall of ${name} itself.`],
  };
}
