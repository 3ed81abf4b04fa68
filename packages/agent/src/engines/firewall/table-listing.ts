/** What `nft -j list table` says, in a form that two listings, or a listing and a compiled table, can be compared in. */
import { isRecord } from './nft-json.ts';

export interface TableListing {
  /** By kind and name (`chain input`), what is fixed about it as text: all but elements, counts and handles. */
  readonly things: ReadonlyMap<string, string>;
  readonly chains: ReadonlyMap<string, ListedChain>;
  /** By set, as nftables writes them in a rule file. */
  readonly elements: ReadonlyMap<string, readonly string[]>;
}

interface ListedChain {
  /** Type, hook, device, priority and policy. Empty: nothing hooks it. */
  readonly hook: string;
  readonly rules: readonly { readonly handle: number; readonly text: string }[];
}

interface Thing {
  readonly name?: string;
  readonly handle?: number;
  readonly chain?: string;
  readonly elem?: readonly unknown[];
  readonly [field: string]: unknown;
}

/** Say nothing about what a thing does, or change all the time. */
const LEFT_OUT = new Set(['handle', 'elem', 'packets', 'bytes', 'table', 'family', 'name', 'chain', 'index']);

export function readListing(text: string): TableListing {
  const things = new Map<string, string>();
  const chains = new Map<string, { hook: string; rules: { handle: number; text: string }[] }>();
  const elements = new Map<string, readonly string[]>();
  for (const [kind, thing] of thingsIn(text)) {
    const { name = '', handle = 0, chain = '', elem = [] } = thing;
    if (kind === 'rule') chains.get(chain)?.rules.push({ handle, text: fixedPart(thing) });
    else things.set(`${kind} ${name}`, fixedPart(thing));
    if (kind === 'chain') chains.set(name, { hook: hookOf(thing), rules: [] });
    if (kind === 'set') elements.set(name, elem.map(elementText));
  }
  return { things, chains, elements };
}

/** How many packets the named counters have seen. */
export function readCounters(text: string): ReadonlyMap<string, number> {
  const counters = thingsIn(text).filter(([kind]) => kind === 'counter');
  return new Map(counters.map(([, { name = '', packets }]) => [name, Number(packets)]));
}

function thingsIn(text: string): readonly (readonly [kind: string, thing: Thing])[] {
  const { nftables } = JSON.parse(text) as { readonly nftables: readonly Readonly<Record<string, Thing>>[] };
  return nftables.flatMap((entry) => Object.entries(entry)).filter(([kind]) => kind !== 'metainfo' && kind !== 'table');
}

function fixedPart(thing: Thing): string {
  return JSON.stringify(Object.fromEntries(Object.entries(thing).filter(([field]) => !LEFT_OUT.has(field))));
}

function hookOf({ type, hook, dev, prio, policy }: Thing): string {
  const device = dev === undefined ? '' : ` device ${JSON.stringify(dev)}`;
  return hook === undefined ? '' : `type ${type} hook ${hook}${device} priority ${prio}; policy ${policy};`;
}

/** Protocols are numbers where the host has no names for them. */
const PROTOCOLS: ReadonlyMap<unknown, string> = new Map([
  [6, 'tcp'],
  [17, 'udp'],
]);

function elementText(element: unknown): string {
  if (!isRecord(element) || !Array.isArray(element.concat)) return partText(element);
  // All that ends with a port has its protocol before it.
  const parts = element.concat.map((part: unknown, index, { length }) =>
    index === length - 2 && index > 0 ? (PROTOCOLS.get(part) ?? partText(part)) : partText(part),
  );
  return parts.join(' . ');
}

/** Whatever is of no kind that we write (an element that expires, say) stays JSON, and equals nothing of ours. */
function partText(part: unknown): string {
  if (typeof part === 'string' || typeof part === 'number') return String(part);
  if (isRecord(part) && isRecord(part.prefix)) return `${part.prefix.addr}/${part.prefix.len}`;
  if (isRecord(part) && Array.isArray(part.range)) return part.range.join('-');
  return JSON.stringify(part);
}

/** A compiled element as a listing has it: a network of one address is that address. */
export function listedElement(element: string): string {
  return element.replace(/(\.\d+)\/32\b|(:[0-9a-f]*)\/128\b/g, '$1$2');
}
