import { intersect, isDefaultRoute, parseNetwork } from '@meshwork/addresses';
import { acceptsRoute } from '../routes/accept-routes.ts';
import type { OfferFacts } from './facts.ts';
import { isSameBoundary } from './nearest-miss.ts';
import { type Behind, type End, type Finding, pass, type Way } from './way.ts';
import { capital, wakeUp } from './wording.ts';

/** The narrowest network with the address in it that the source may reach through the target. Undefined: none. */
function routeOf({ engine, source, target, behind }: Way): string | undefined {
  if (target === undefined || behind === undefined) return undefined;
  const [from, to] = [engine.cohortOf(source.node.id), engine.cohortOf(target.node.id)];
  return from === undefined || to === undefined ? undefined : narrowest(engine.terms(from, to).routes, behind);
}

/** Where the target would forward it if a grant allowed that: only shared networks lead out of its boundary. */
function networkFor({ engine, source }: Way, target: End, behind: Behind): string {
  if (isSameBoundary(source.node, target.node)) return behind.network;
  return narrowest(engine.nodeOf(target.node.id)?.shares ?? [], behind) ?? behind.network;
}

function narrowest(networks: readonly string[], { host }: Behind): string | undefined {
  let best: { readonly text: string; readonly prefix: number } | undefined;
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network === undefined || intersect(network, host) === undefined) continue;
    if (best === undefined || network.prefix > best.prefix) best = { text, prefix: network.prefix };
  }
  return best?.text;
}

/** Whether a node forwards to the address. Undefined: there is nothing to forward. */
export function checkRoute(way: Way, isGranted: boolean): Finding | undefined {
  const { behind, source, target } = way;
  if (behind === undefined) return undefined;
  if (target === undefined) return noRoute(way, behind);
  const route = routeOf(way);
  if (route !== undefined && !acceptsRoute(source.node.accept_routes, route)) return notAccepted(way, route);
  if (route !== undefined)
    return pass('route', `${source.name} reaches ${shownNetwork(way, route)} through ${target.name}.`);
  // What no grant allows has no route either; the grant check reports that once. The same for a node that is no member.
  const isMember = [source, target].every(({ node }) => way.engine.cohortOf(node.id) !== undefined);
  if (!isGranted || !isMember) {
    const network = networkFor(way, target, behind);
    return acceptsRoute(source.node.accept_routes, network)
      ? pass('route', `${target.name} forwards to ${behind.network}.`)
      : notAccepted(way, network);
  }
  return {
    check: 'route',
    outcome: 'fail',
    detail: `${target.name} does not forward to ${behind.address} at the moment.`,
    clause: `${target.name} does not forward to ${behind.address} at the moment`,
    fix: [`Let a node forward to a network that contains ${behind.address}.`],
  };
}

/** What a hidden node forwards to is not shown; the grant that leads the source there is about the source. */
function shownNetwork({ engine, index, source, target, behind }: Way, text: string): string {
  if (target === undefined || !target.hidden) return text;
  const [from, to] = [engine.cohortOf(source.node.id), engine.cohortOf(target.node.id)];
  const leading = from && to && engine.grantsBehind(from, to).find((entry) => entry.to === text);
  return (leading && index.grants[leading.grant]?.grant.to) ?? behind?.address ?? '';
}

/** Which routes a host takes is its own setting, and no fault of the mesh. */
function notAccepted({ source }: Way, text: string): Finding {
  const network = parseNetwork(text);
  const setting = network !== undefined && isDefaultRoute(network) ? 'all' : 'subnets';
  const clause =
    source.node.accept_routes === 'subnets'
      ? `${source.name} does not accept the default route ${text}`
      : `${source.name} does not accept routes`;
  return {
    check: 'route',
    outcome: 'fail',
    detail: `${clause}: its agent runs with --accept-routes ${source.node.accept_routes}.`,
    clause,
    fix: [`Start the agent on ${source.name} with --accept-routes ${setting}.`],
  };
}

/** How many of the nodes that could forward are named. */
const MOST_OFFERS = 3;

/** What leaves the source by another interface is not for the mesh to decide: it may arrive, or not. */
function noRoute({ source, whole_policy }: Way, { address, offers }: Behind): Finding {
  // There may be others, which forward for others.
  const none = whole_policy ? 'no node' : 'no node that you may see';
  const elsewhere = `the mesh does not decide this; the routes and firewalls of ${source.name}'s host do`;
  const found = { check: 'route', outcome: 'unknown' } as const;
  if (offers.length === 0) {
    return {
      ...found,
      detail: `${capital(none)} forwards to a network that contains ${address}, so ${elsewhere}.`,
      clause: `${none} forwards to ${address}, so ${elsewhere}`,
      fix: [`Offer its network on a node that can reach ${address}, and approve it.`],
    };
  }
  const inOrder = offers.toSorted((a, b) => NEARNESS[a.why] - NEARNESS[b.why]);
  const words = inOrder.map((offer) => WORDS[offer.why](offer.name, offer.network));
  const [first = ''] = words;
  const more = words.length > MOST_OFFERS ? `; and ${words.length - MOST_OFFERS} more` : '';
  return {
    ...found,
    detail: `${capital(none)} forwards to ${address} now: ${words.slice(0, MOST_OFFERS).join('; ')}${more}. So ${elsewhere}.`,
    clause: `${none} forwards to ${address} now (${first}), so ${elsewhere}`,
    fix: inOrder.slice(0, MOST_OFFERS).map(fixFor),
  };
}

type Why = OfferFacts['why'];
const NEARNESS: Readonly<Record<Why, number>> = { not_approved: 0, standby: 1, silent: 2, not_member: 3 };
const WORDS: Readonly<Record<Why, (name: string, network: string) => string>> = {
  not_approved: (name, network) => `${name} offers ${network}, which is not approved`,
  standby: (name, network) => `${name} could forward to ${network}, and has not been chosen yet`,
  silent: (name, network) => `${name} would forward to ${network}, and is offline`,
  not_member: (name, network) => `${name} would forward to ${network}, and is not a member of the mesh`,
};

function fixFor({ name, network, why }: OfferFacts): string {
  switch (why) {
    case 'not_approved':
      return `Approve the route: mesh node routes ${name} ${network} (name all that it may forward to).`;
    case 'standby':
      return `Wait a moment, until ${name} is chosen.`;
    case 'silent':
      return wakeUp({ name, hidden: false });
    case 'not_member':
      return `Approve or release ${name}.`;
  }
}
