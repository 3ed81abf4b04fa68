import type { Network } from '@meshwork/addresses';
import { checkedNetwork } from './checked.ts';
import type { Direction, FirewallRule, Protocol } from './rule.ts';
import { includesSpans, mergeSpans, type Span, type Spans, spansOverlap } from './spans.ts';

/**
 * A set of flows: all that a rule matches, or one packet, or all that an agent needs. It is the product of its
 * members, so two of them compare member by member however long their lists are.
 */
export interface Traffic {
  readonly direction: Direction;
  /** `any`, `mesh` or a name. */
  readonly interface: string;
  readonly from: Places;
  readonly to: Places;
  readonly protocol: Protocol;
  readonly ports: Spans;
}

/** Addresses, by family. */
export interface Places {
  readonly 4: Spans;
  readonly 6: Spans;
}

const FAMILIES = [4, 6] as const;
const BITS = { 4: 32n, 6: 128n } as const;
const NOWHERE: Spans = Object.freeze([]);
export const EVERYWHERE: Places = Object.freeze({
  4: [{ first: 0n, last: (1n << BITS[4]) - 1n }],
  6: [{ first: 0n, last: (1n << BITS[6]) - 1n }],
});
export const EVERY_PORT: Spans = Object.freeze([{ first: 0n, last: 65_535n }]);

/** `meshInterface`: what the mesh interface is called on the node, as a rule may name it too. */
export function trafficOf(rule: FirewallRule, meshInterface: string): Traffic {
  return {
    direction: rule.direction,
    interface: rule.interface === meshInterface ? 'mesh' : rule.interface,
    from: placesOf(rule.from),
    to: placesOf(rule.to),
    protocol: rule.protocol,
    ports: rule.ports === undefined ? EVERY_PORT : mergeSpans(rule.ports.map(portSpan)),
  };
}

/** Whether everything in `inner` is in `outer` too. */
export function coversTraffic(outer: Traffic, inner: Traffic): boolean {
  return (
    outer.direction === inner.direction &&
    (outer.interface === 'any' || outer.interface === inner.interface) &&
    (outer.protocol === 'any' || outer.protocol === inner.protocol) &&
    includesSpans(outer.ports, inner.ports) &&
    FAMILIES.filter((family) => hasFamily(inner, family)).every(
      (family) =>
        includesSpans(outer.from[family], inner.from[family]) && includesSpans(outer.to[family], inner.to[family]),
    )
  );
}

export function trafficOverlaps(a: Traffic, b: Traffic): boolean {
  return (
    a.direction === b.direction &&
    (a.interface === 'any' || b.interface === 'any' || a.interface === b.interface) &&
    (a.protocol === 'any' || b.protocol === 'any' || a.protocol === b.protocol) &&
    spansOverlap(a.ports, b.ports) &&
    FAMILIES.some((family) => spansOverlap(a.from[family], b.from[family]) && spansOverlap(a.to[family], b.to[family]))
  );
}

function hasFamily({ from, to }: Traffic, family: 4 | 6): boolean {
  return from[family].length > 0 && to[family].length > 0;
}

/** Undefined: everywhere. */
function placesOf(networks: readonly string[] | undefined): Places {
  if (networks === undefined) return EVERYWHERE;
  const parsed = networks.map(checkedNetwork);
  const spansIn = (family: 4 | 6) => {
    const own = parsed.filter((network) => network.family === family);
    return own.length === 0 ? NOWHERE : mergeSpans(own.map(networkSpan));
  };
  return { 4: spansIn(4), 6: spansIn(6) };
}

function networkSpan({ family, base, prefix }: Network): Span {
  return { first: base, last: base + (1n << (BITS[family] - BigInt(prefix))) - 1n };
}

/** `22` or `8000-8999`, already checked. */
function portSpan(text: string): Span {
  const [first = '', last = first] = text.split('-');
  return { first: BigInt(first), last: BigInt(last) };
}
