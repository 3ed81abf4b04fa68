import { addressOfEndpoint, familyOf, portOfEndpoint } from '@meshwork/addresses';
import { placeOf } from '../firewall/decide.ts';
import { type Cut, findCut, onePort, type PartlyKnownFlow, wholeFamily } from '../firewall/find-cut.ts';
import { guardAgent, type Refusal } from '../firewall/guard.ts';
import { hostRules } from '../firewall/host-rules.ts';
import type { LinkReport, NodeFacts, UnderlayFacts } from './facts.ts';
import type { Way } from './way.ts';

/** Where one end finds the other, outside the mesh. */
interface Place {
  /** Undefined: not known. */
  readonly address: string | undefined;
  readonly family: 4 | 6;
  readonly port: number;
}

/**
 * Where an end sends the other's packets. If that is not known, it may be anywhere in the families of the other: a NAT gives
 * it an address that it does not know itself. Never empty.
 */
function placesOf(report: LinkReport | null, { addresses, port }: UnderlayFacts): readonly Place[] {
  const used = directPlace(report);
  if (used !== undefined) return [used];
  const families = new Set(addresses.map((address) => familyOf(address)));
  return [...(families.size === 0 ? [4 as const] : families)].map((family) => ({ address: undefined, family, port }));
}

/** Undefined: it sends nothing directly, or does not say where. */
export function directPlace(report: LinkReport | null): (Place & { readonly address: string }) | undefined {
  if (report?.path !== 'direct' || report.endpoint === null) return undefined;
  const [address, port] = [addressOfEndpoint(report.endpoint), portOfEndpoint(report.endpoint)];
  return address === null || port === null ? undefined : { address, family: familyOf(address), port };
}

/** Whether a host lets such packets pass: `may` is where that depends on what is not known. */
export interface Passage {
  readonly level: 'open' | 'may' | 'cut';
  readonly rules: readonly string[];
}

const OPEN: Passage = { level: 'open', rules: [] };
const LEVELS = ['open', 'may', 'cut'] as const;

/** Of several that all have to be passed. */
export function worst(...all: readonly Passage[]): Passage {
  const closed = all.filter(({ level }) => level !== 'open');
  const level = LEVELS[Math.max(0, ...all.map((one) => LEVELS.indexOf(one.level)))] ?? 'open';
  return { level, rules: [...new Set(closed.flatMap(({ rules }) => rules))] };
}

/** Of several of which one is enough. */
export function best(...all: readonly Passage[]): Passage {
  const level = LEVELS[Math.min(...all.map((one) => LEVELS.indexOf(one.level)))] ?? 'open';
  return level === 'open' ? OPEN : { level, rules: [...new Set(all.flatMap(({ rules }) => rules))] };
}

/** WireGuard's packets of a node to the other end (`out`), or from it (`in`). */
export function passage(direction: 'in' | 'out', { node, report, other }: Seen): Passage {
  const { underlay, firewall, interface: name } = node;
  if (underlay === null || other.underlay === null || firewall.length === 0) return OPEN;
  const rules = hostRules(firewall, name);
  const places = placesOf(report, other.underlay);
  return best(...places.map((place) => passageOf(findCut(rules, flowOf(underlay, direction, place)))));
}

/** The other end, as one end sees it. */
interface Seen {
  readonly node: NodeFacts;
  readonly report: LinkReport | null;
  readonly other: NodeFacts;
}

function flowOf({ port, needs }: UnderlayFacts, direction: 'in' | 'out', other: Place): PartlyKnownFlow {
  const whole = wholeFamily(other.family);
  const there = other.address === undefined ? whole : placeOf(other.address);
  const isKnown = other.address !== undefined;
  const [from, to] = direction === 'out' ? [whole, there] : [there, whole];
  const [mine, others] = direction === 'out' ? (['from', 'to'] as const) : (['to', 'from'] as const);
  return {
    traffic: { direction, protocol: 'udp', ports: onePort(direction === 'out' ? other.port : port), from, to },
    interfaces: needs.interfaces,
    unknown: isKnown ? [mine] : [mine, others],
  };
}

function passageOf(cut: Cut | undefined): Passage {
  return cut === undefined ? OPEN : { level: cut.certain ? 'cut' : 'may', rules: cut.rules };
}

/** What its rules keep an agent from doing. */
export function refusalsOf({ underlay, firewall, interface: name }: NodeFacts): readonly Refusal[] {
  return underlay === null || firewall.length === 0 ? [] : guardAgent(hostRules(firewall, name), underlay.needs);
}

/** What a node sends to relays. */
export function relayPassage(node: NodeFacts): Passage {
  const refusal = refusalsOf(node).find(({ need }) => need === 'relays');
  if (refusal === undefined) return OPEN;
  return { level: refusal.certainty === 'cuts' ? 'cut' : 'may', rules: refusal.rules };
}

/** Whether the link goes through a relay now, could, or cannot. */
export function relayUse({ link }: Way): 'used' | 'possible' | 'none' {
  const { near, far, near_relay, far_relay, near_place, far_place } = link;
  if (near?.path === 'relay' || far?.path === 'relay') return 'used';
  const canUse = near_place?.uses_relays === true && far_place?.uses_relays === true;
  return canUse && near_relay?.healthy === true && far_relay?.healthy === true ? 'possible' : 'none';
}
