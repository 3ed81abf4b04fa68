import type { LinkFacts, LinkReport, RelayFacts } from './facts.ts';
import { hasHeardBoth, heardBy } from './freshness.ts';
import { arePeers, type Finding, pass, starting, type Way } from './way.ts';
import { duration } from './wording.ts';

/** WireGuard makes a new handshake every two minutes while there is traffic, and drops a session after three. */
const FRESH_HANDSHAKE_S = 180;

/**
 * Whether packets get through, from what both ends report of each other. Undefined: they are no peers, and have nothing to
 * report. Each end sends through the relay of the other where it has no direct path.
 */
export function checkLink(way: Way): Finding | undefined {
  const { link, source, target } = way;
  if (target === undefined || !arePeers(way)) return undefined;
  if (hasHeardBoth(way)) return heard(way);
  const reports = [link.near, link.far].filter((report) => report !== null);
  const unheard = notHeard(way);
  if (unheard !== undefined) return missingRelay(way) ?? loneWay(way, reports) ?? unheard;
  const direct = reports.find((report) => report.path === 'direct' && isFresh(report));
  if (direct !== undefined) {
    const other = direct === link.near ? link.far : link.near;
    if (other !== null && other.handshake_age_s === null) return oneSided(way, direct);
    return pass('link', `Direct, with a handshake ${duration(direct.handshake_age_s ?? 0)} ago.`);
  }
  const missing = missingRelay(way);
  if (missing !== undefined) return missing;
  const relayed = reports.find((report) => report.path === 'relay');
  const ages = reports.flatMap(({ handshake_age_s: age }) => (age === null ? [] : [age]));
  const youngest = ages.length === 0 ? undefined : Math.min(...ages);
  if (relayed !== undefined && youngest !== undefined && youngest <= FRESH_HANDSHAKE_S) {
    const names = relayNames(way, relayed);
    return pass('link', `Through ${listed(names)}, which ${names.length === 1 ? 'is' : 'are'} up.`);
  }
  const unused = notInUse(way, reports);
  if (unused !== undefined) return unused;
  if (reports.length === 0) {
    const clause = `${source.name} and ${target.name} have not reported on each other yet`;
    return quiet(clause, 'Wait for their next heartbeats, and try again.');
  }
  const lone = loneWay(way, reports);
  if (lone !== undefined) return lone;
  const since = youngest === undefined ? 'yet' : `for ${duration(youngest)}`;
  const clause = `${source.name} has had no handshake with ${target.name} ${since}`;
  return quiet(clause, `Send traffic from ${source.name} to ${target.name}, and check whether a handshake follows.`);
}

/** Both ends were asked for a packet just now, and each got the other's. */
function heard(way: Way): Finding {
  const { near, far } = way.link;
  const reports = [near, far].filter((report) => report !== null);
  const relayed = reports.find((report) => report.path === 'relay');
  const ago = Math.max(near?.heard?.s_ago ?? 0, far?.heard?.s_ago ?? 0);
  const both = `ach end heard the other ${duration(ago)} ago.`;
  if (relayed !== undefined) return pass('link', `Through ${listed(relayNames(way, relayed))}: e${both}`);
  // A packet was asked for, and came, though the link is not in use: no end says by which way.
  return pass('link', reports.every(({ path }) => path === 'idle') ? `E${both}` : `Direct: e${both}`);
}

/**
 * A link that is not in use says nothing of its next packet, and is no fault: it goes to the relay of the other end. Undefined: an
 * end uses it, or tries to.
 */
function notInUse(way: Way, reports: readonly LinkReport[]): Finding | undefined {
  const { source, target, link } = way;
  if (!reports.some(({ path }) => path === 'idle') || reports.some(({ path }) => path === 'none')) return undefined;
  const idle = `the link between ${source.name} and ${target?.name} is not in use`;
  const fix = `Send traffic from ${source.name} to ${target?.name}, and try again.`;
  const relays = [...new Set(relaysOf(link).filter((relay) => relay !== null))];
  const down = relays.find((relay) => !relay.healthy);
  if (down !== undefined) {
    const { fix: fixes } = relayDown(way, down);
    const clause = `${idle}, and ${relayName(down)}, which its next packet needs, is down`;
    return { check: 'link', outcome: 'unknown', detail: `${starting(way, clause)}.`, clause, fix: fixes };
  }
  const names = [...new Set(relays.map(relayName))];
  const up = `${listed(names)}, which ${names.length === 1 ? 'is' : 'are'} up`;
  const next = names.length === 0 ? '' : `; its next packet goes through ${up}`;
  const clause = `${idle}${next}`;
  return { check: 'link', outcome: 'unknown', detail: `${starting(way, clause)}.`, clause, fix: [fix] };
}

/**
 * An end that looked and did not hear the other. A handshake proves nothing then: what was cut since is only shown by packets
 * that do not come. Undefined: none of them looked, or those that did heard the other.
 */
function notHeard(way: Way): Finding | undefined {
  const { source, target, link } = way;
  const ends = [
    { name: source.name, other: target?.name, looked: source.node.looked, came: heardBy(link.near) },
    { name: target?.name, other: source.name, looked: target?.node.looked ?? null, came: heardBy(link.far) },
  ];
  const deaf = ends.filter(({ looked, came }) => looked !== null && came !== true);
  const [first] = deaf;
  if (first === undefined) return undefined;
  const both = `neither ${source.name} nor ${target?.name} heard a packet of the other in the last look`;
  const unheard = (clause: string, fix: string): Finding => {
    return { check: 'link', outcome: 'unknown', detail: `${starting(way, clause)}.`, clause, fix: [fix] };
  };
  if (first.came === undefined) {
    const fix = `Check the agent on ${first.name} and the network of its host, and try again.`;
    return unheard(`${first.name} has not said whether it hears ${first.other}`, fix);
  }
  const isBoth = deaf.length === 2 && deaf.every(({ came }) => came === false);
  return unheard(
    isBoth ? both : `no packet came from ${first.other} to ${first.name} in the last look`,
    `Check the network and the firewalls between ${source.name} and ${target?.name}, and try again.`,
  );
}

function missingRelay(way: Way): Finding | undefined {
  const down = relaysNeeded(way).find((relay) => relay !== null && !relay.healthy);
  return down ? relayDown(way, down) : relayLost(way);
}

/** Ends that have met can find each other. */
function loneWay(way: Way, reports: readonly LinkReport[]): Finding | undefined {
  return reports.every(({ handshake_age_s }) => handshake_age_s === null) ? withoutWay(way) : undefined;
}

function quiet(clause: string, fix: string): Finding {
  return { check: 'link', outcome: 'unknown', detail: `${clause}.`, clause, fix: [fix] };
}

/**
 * A session has two ends. One that dropped the other, and then was sent it again, has none any more, and what
 * comes to it by the old one is lost until the other end notices.
 */
function oneSided({ source, target, link }: Way, direct: LinkReport): Finding {
  const [has, lacks] = direct === link.near ? [source.name, target?.name] : [target?.name, source.name];
  const said = `${has} reports one ${duration(direct.handshake_age_s ?? 0)} ago`;
  return quiet(`${lacks} has had no handshake with ${has} yet, though ${said}`, 'Wait a moment, and try again.');
}

function isFresh({ handshake_age_s }: LinkReport): boolean {
  return handshake_age_s !== null && handshake_age_s <= FRESH_HANDSHAKE_S;
}

/** The relays that ends without a direct path depend on, if they have reported at all and use the link. */
function relaysNeeded({ link }: Way): readonly (RelayFacts | null)[] {
  const { near, far } = link;
  const [ofNear, ofFar] = relaysOf(link);
  const needed: (RelayFacts | null)[] = [];
  const needs = (report: LinkReport | null) => report !== null && report.path !== 'direct' && report.path !== 'idle';
  if (needs(near)) needed.push(ofFar, near?.by_own_relay ? ofNear : null);
  if (needs(far)) needed.push(ofNear, far?.by_own_relay ? ofFar : null);
  return needed;
}

/** What each end can go by: the relay that it uses or the one assigned to it, whichever is up. */
function relaysOf(link: LinkFacts): readonly [RelayFacts | null, RelayFacts | null] {
  const best = (used: RelayFacts | undefined, assigned: RelayFacts | null) =>
    used === undefined || (!used.healthy && assigned?.healthy === true) ? assigned : used;
  return [best(link.near_used, link.near_relay), best(link.far_used, link.far_relay)];
}

/** The relays that the packets of a relayed end pass, in order. */
function relayNames({ link }: Way, relayed: LinkReport): readonly string[] {
  const [ofNear, ofFar] = [link.near_used ?? link.near_relay, link.far_used ?? link.far_relay];
  const [own, other] = relayed === link.near ? [ofNear, ofFar] : [ofFar, ofNear];
  const names = [...(relayed.by_own_relay ? [relayName(own)] : []), relayName(other)];
  return [...new Set(names)];
}

function listed(names: readonly string[]): string {
  return names.join(' and ');
}

function relayDown({ source, target, link }: Way, relay: RelayFacts): Finding {
  const clause = `${source.name} and ${target?.name} need ${relayName(relay)}, which is down`;
  const [, ofFar] = relaysOf(link);
  const end = relay === ofFar ? target : source;
  const start = relay.name === null ? 'Ask an operator to restart that relay.' : `Restart the relay ${relay.name}.`;
  const move =
    end === undefined || end.hidden ? [] : [`Move ${end.name} to another relay: mesh node relay ${end.name} --auto`];
  return { check: 'link', outcome: 'fail', detail: `${clause}.`, clause, fix: [start, ...move] };
}

/** An end that is reached through a relay only, and has none: the one it had is gone, or no relay is healthy. */
function relayLost({ source, target, link }: Way): Finding | undefined {
  const [ofNear, ofFar] = relaysOf(link);
  const isTargetLost = link.near?.path === 'relay' && ofFar === null;
  const isSourceLost = link.far?.path === 'relay' && ofNear === null;
  const end = isTargetLost ? target : isSourceLost ? source : undefined;
  if (end === undefined) return undefined;
  const clause = `${source.name} and ${target?.name} need a relay, and ${end.name} has none`;
  const fix = ['Restart a relay, or create one: mesh relay create'];
  return { check: 'link', outcome: 'fail', detail: `${clause}: no relay is up.`, clause, fix };
}

/**
 * Two ends that no direct path was found between, and that have no relay to meet at. Addresses alone prove nothing: private
 * networks may be routed to each other, and a NAT may let packets in. So it is likely, and no more.
 */
export function withoutWay({ source, target, link }: Way): Finding | undefined {
  const { near, far, near_relay, far_relay, near_place, far_place } = link;
  if (target === undefined || target.hidden || source.hidden) return undefined; // the endpoints of hidden nodes are not shown
  if (near_place === undefined || far_place === undefined || near_relay !== null || far_relay !== null)
    return undefined;
  if (near === null || far === null || near_place.reach === 'public' || far_place.reach === 'public') return undefined;
  const both = `${source.name} and ${target.name}`;
  const clause = `${both} have found no direct path, most likely because both are behind NAT, and there is no relay that either can use`;
  const unable = [
    { name: source.name, ...near_place },
    { name: target.name, ...far_place },
  ].filter(({ uses_relays }) => !uses_relays);
  const relay =
    unable.length === 0
      ? 'Create a relay that both can reach: mesh relay create'
      : `The agent on ${unable.map(({ name }) => name).join(' and ')} sends no traffic through relays, so a relay would not help yet.`;
  const open = `Forward WireGuard's UDP port to ${source.name} or ${target.name} on its router, or give one of them a public address.`;
  return {
    check: 'link',
    outcome: 'unknown',
    detail: `${clause}.`,
    clause,
    fix: unable.length === 0 ? [relay, open] : [open, relay],
  };
}

export function relayName(relay: RelayFacts | null): string {
  if (relay === null) return 'a relay';
  return relay.name === null ? 'a relay that you may not see' : `the relay ${relay.name}`;
}
