import type { ForeignFacts, LinkReport, NodeFacts } from './facts.ts';
import { type ForeignPacket, mayConcern } from './foreign-match.ts';
import { directPlace } from './underlay-flows.ts';
import type { Wanted } from './wanted.ts';
import { addressOf, beyond, type End, type Finding, type Way } from './way.ts';
import { capital } from './wording.ts';

/** A rule of another program that may concern what was asked about. */
interface Concern {
  readonly end: End;
  readonly rule: ForeignFacts;
  /** What it may concern: `it`, or WireGuard's own packets. */
  readonly what: string;
}

/** How many rules are shown. */
const MOST_RULES = 3;
/** From which Linux takes the source ports of connections. */
const EPHEMERAL = { first: 32_768, last: 60_999 } as const;

/**
 * What other programs on the hosts of both ends may do to it: to the packets of the flow, to their answers, and to WireGuard's
 * packets that carry both. The mesh does not know how such a rule ends, so it never says more than that. Undefined: no rule
 * is known that may concern it.
 */
export function checkHost(way: Way): Finding | undefined {
  const { source, target } = way;
  const [from, to] = [addressOf(source, way), way.behind?.address ?? (target && addressOf(target, way))];
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const flow = { from, to, wanted: way.wanted };
  const isBehind = beyond(way) !== undefined;
  const concerns = [
    ...concernsOf(source, 'it', [...ofFlow(flow, 'out', 'in', byMesh(source.node))]),
    ...concernsOf(target, 'it', [
      ...(isBehind ? ofFlow(flow, 'forward', 'forward', () => true) : ofFlow(flow, 'in', 'out', byMesh(target.node))),
    ]),
    ...wireguardConcerns(way, source),
    ...wireguardConcerns(way, target),
  ];
  // A rule that may drop the flow itself need not be named once more for the packets that carry it.
  const isFirst = ({ end, rule }: Concern, place: number) =>
    concerns.findIndex((one) => one.end === end && one.rule.text === rule.text) === place;
  return foundIn(concerns.filter(isFirst));
}

/** The same for what a node sends past the mesh, by an interface that is not known. */
export function checkHostOutside(end: End, address: string, wanted: Wanted): Finding | undefined {
  const isBy = (name: string) => name !== end.node.interface;
  const out = { direction: 'out', isBy, from: undefined, to: [address], protocol: wanted.protocol } as const;
  const back = { ...out, direction: 'in', from: [address], to: undefined, ports: EPHEMERAL } as const;
  return foundIn([...concernsOf(end, 'it', [{ ...out, ports: portsOf(wanted) }, back])]);
}

/** The same for what arrives past the mesh at an address that the node has itself. */
export function checkHostArriving(end: End, address: string, wanted: Wanted): Finding | undefined {
  const isBy = (name: string) => name !== end.node.interface;
  const there = { direction: 'in', isBy, from: undefined, to: [address], protocol: wanted.protocol } as const;
  const back = { ...there, direction: 'out', from: [address], to: undefined, ports: EPHEMERAL } as const;
  const concerns = [...concernsOf(end, 'it', [{ ...there, ports: portsOf(wanted) }, back])];
  return foundIn(concerns.filter(({ rule }) => rule.kind !== 'address')); // it has the address, and is meant to
}

/** The same for what a node sends to itself. Routing rules are not asked about that. */
export function checkHostItself(end: End, wanted: Wanted): Finding | undefined {
  const { address, address6 } = end.node;
  const own = address6 === null ? [address] : [address, address6];
  const isBy = (name: string) => name === 'lo';
  const packets = own.flatMap((one) =>
    (['out', 'in'] as const).flatMap((way) => [...ofFlow({ from: one, to: one, wanted }, way, way, isBy)]),
  );
  return foundIn([...concernsOf(end, 'it', packets)].filter(({ rule }) => rule.kind === 'filter'));
}

function foundIn(concerns: readonly Concern[]): Finding | undefined {
  const [first] = concerns;
  if (first === undefined) return undefined;
  const shown = concerns.slice(0, MOST_RULES).map((one) => `${capital(clauseOf(one))}.`);
  const more = concerns.length > MOST_RULES ? ` There are ${concerns.length - MOST_RULES} more such rules.` : '';
  return {
    check: 'host',
    outcome: 'unknown',
    detail: `${shown.join(' ')}${more}`,
    clause: clauseOf(first),
    fix: [[...new Set(concerns.slice(0, MOST_RULES).map(fixOf))].join('\n')],
    may_open: concerns.some(({ rule, what }) => what === 'it' && DIVERTS.test(rule.text)),
  };
}

/** A packet that is sent to another address or port meets the filter with that one, which may be allowed. */
const DIVERTS = /\b(?:dnat|redirect|tproxy)\b/i;

/** By what the rule is: how it is called, what it may do, and what an operator checks. */
const WORDS = {
  filter: {
    who: 'a rule of another program',
    does: (what: string) => `may drop or divert ${what}`,
    check: 'the rule of the other program',
  },
  route: {
    who: 'a routing rule',
    does: (what: string) => `may lead ${what} elsewhere`,
    check: 'the routing rule',
  },
  address: {
    who: 'an address outside the mesh',
    does: (what: string) => `may keep ${what} on the host`,
    check: 'that address',
  },
} as const satisfies Record<ForeignFacts['kind'], unknown>;

function clauseOf({ end, rule, what }: Concern): string {
  const { who, does } = WORDS[rule.kind];
  const clause = `${who} on ${end.name} ${does(what)}`;
  return end.hidden ? clause : `${clause}: ${rule.text.replace(/\s+/g, ' ').trim()}`;
}

function fixOf({ end, rule }: Concern): string {
  return end.hidden
    ? `Ask an operator to check the firewall and the routes of ${end.name}.`
    : `Check ${WORDS[rule.kind].check} on ${end.name}, and change or remove it if it is in the way.`;
}

function* concernsOf(end: End, what: string, packets: readonly ForeignPacket[]): Generator<Concern> {
  for (const rule of end.node.foreign) {
    if (packets.some((packet) => mayConcern(rule, packet))) yield { end, rule, what };
  }
}

/** An end does not stand at an address of the other. */
function* wireguardConcerns(way: Way, end: End): Generator<Concern> {
  for (const concern of concernsOf(end, "WireGuard's packets", [...ofWireguard(way, end)])) {
    if (concern.rule.kind !== 'address') yield concern;
  }
}

interface Flow {
  readonly from: string;
  readonly to: string;
  readonly wanted: Wanted;
}

type Direction = ForeignFacts['direction'];

/** The packets of a flow, and its answers, which rules of other programs may not know as such. */
function* ofFlow(
  { from, to, wanted }: Flow,
  there: Direction,
  back: Direction,
  isBy: ForeignPacket['isBy'],
): Generator<ForeignPacket> {
  const { protocol } = wanted;
  yield { direction: there, isBy, from: [from], to: [to], protocol, ports: portsOf(wanted) };
  yield { direction: back, isBy, from: [to], to: [from], protocol, ports: EPHEMERAL };
}

function portsOf({ protocol, port }: Wanted): ForeignPacket['ports'] {
  return protocol === 'icmp' ? undefined : { first: port, last: port };
}

/** By the mesh interface. A routing rule for what the host itself sends names the loopback interface. */
function byMesh(node: NodeFacts): ForeignPacket['isBy'] {
  return (name) => name === node.interface || name === 'lo';
}

/** What WireGuard sends and receives at an end: to the other end, and to relays where it needs them. */
function* ofWireguard(way: Way, end: End): Generator<ForeignPacket> {
  const { source, target, link } = way;
  const [other, report] = end === source ? [target, link.near] : [source, link.far];
  const isBy = (name: string) => name !== end.node.interface;
  const common = { isBy, protocol: 'udp' } as const;
  for (const { address, port } of sentTo(end.node, report, other?.node)) {
    const theirs = address === undefined ? undefined : [address];
    yield { ...common, direction: 'out', from: undefined, to: theirs, ports: onePort(port) };
    yield { ...common, direction: 'in', from: theirs, to: undefined, ports: onePort(end.node.underlay?.port) };
  }
}

interface SentTo {
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

function sentTo({ underlay }: NodeFacts, report: LinkReport | null, other: NodeFacts | undefined): readonly SentTo[] {
  const direct = directPlace(report);
  if (direct !== undefined) return [direct];
  const relays = report?.path === 'relay' ? (underlay?.needs.relays ?? []) : [];
  return relays.length > 0 ? relays : [{ port: other?.underlay?.port }];
}

function onePort(port: number | undefined): ForeignPacket['ports'] {
  return port === undefined ? undefined : { first: port, last: port };
}
