/** What an edit opens, counted node by node and port by port. For policies of `policy-arbitraries.ts`, whose ports are few. */
import { type Allow, mergeAllows, parseAllow } from '../src/document/allow.ts';
import type { Terms } from '../src/engine/cohort.ts';
import { LAST_OWN_PORT } from './policy-arbitraries.ts';
import { allowedBetween, type ReferenceMesh, referenceViewOf } from './reference-engine.ts';

/** Pairs by `from -> to item`. */
export function referenceOpens(then: ReferenceMesh, now: ReferenceMesh): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const destination of now.nodes) {
    const { terms } = referenceViewOf(then, destination.id);
    for (const source of now.nodes) {
      for (const [name, items] of newTo(now, { source, destination }, terms.get(source.id))) {
        for (const item of canonical(items)) counts.set(`${name} ${item}`, (counts.get(`${name} ${item}`) ?? 0) + 1);
      }
    }
  }
  const [saidThen, saidNow] = [saidBy(then), saidBy(now)];
  for (const [name, items] of saidNow) {
    const noticed = [...counts.keys()]
      .filter((key) => key.startsWith(`${name} `))
      .map((key) => key.slice(name.length + 1));
    for (const item of minus(items, [...(saidThen.get(name) ?? []), ...noticed])) counts.set(`${name} ${item}`, 0);
  }
  return counts;
}

type Pair = Record<'source' | 'destination', ReferenceMesh['nodes'][number]>;

function newTo(now: ReferenceMesh, { source, destination }: Pair, before: Terms | undefined): Map<string, string[]> {
  const opened = new Map<string, string[]>();
  for (const { grant, behind } of allowedBetween(now, source, destination)) {
    const name = `${grant.from} -> ${grant.to}`;
    const items = opened.get(name) ?? [];
    if (behind === undefined) items.push(...minus(grant.allow, before?.allow ?? []));
    for (const network of behind ?? []) {
      const around = before?.forward.filter(({ to }) => isAround(to, network)) ?? [];
      items.push(
        ...minus(
          grant.allow,
          around.flatMap(({ allow }) => allow),
        ),
      );
    }
    opened.set(name, items);
  }
  return opened;
}

function saidBy({ document, lapsed }: ReferenceMesh): Map<string, string[]> {
  const said = new Map<string, string[]>();
  for (const [index, { from, to, allow }] of document.grants.entries()) {
    if (!lapsed.has(index)) said.set(`${from} -> ${to}`, [...(said.get(`${from} -> ${to}`) ?? []), ...allow]);
  }
  return said;
}

function minus(list: readonly string[], taken: readonly string[]): readonly string[] {
  if (taken.includes('*')) return [];
  if (list.includes('*')) return ['*'];
  const gone = new Set(taken.flatMap(units));
  return canonical(list.flatMap(units).filter((unit) => !gone.has(unit)));
}

/** Port by port, with all those that no policy names as one. */
function units(text: string): readonly string[] {
  const { protocol, from, to } = parsed(text);
  if (protocol === 'any' || protocol === 'icmp') return [text];
  const own: string[] = [];
  for (let port = from; port <= Math.min(to, LAST_OWN_PORT); port++) own.push(`${protocol}:${port}`);
  return to > LAST_OWN_PORT ? [...own, `${protocol}:${LAST_OWN_PORT + 1}-65535`] : own;
}

function canonical(items: readonly string[]): readonly string[] {
  return mergeAllows(items.map(parsed));
}

function parsed(text: string): Allow {
  const allow = parseAllow(text);
  if (allow === undefined) throw new Error(text);
  return allow;
}

/** Bit by bit. */
function isAround(outer: string, inner: string): boolean {
  const [wide, narrow] = [bitsOf(outer), bitsOf(inner)];
  return outer.includes(':') === inner.includes(':') && narrow.startsWith(wide);
}

function bitsOf(network: string): string {
  const [address = '', prefix] = network.split('/');
  const bits = address.includes(':')
    ? bitsOfSix(address)
    : address
        .split('.')
        .map((part) => bin(Number(part), 8))
        .join('');
  return bits.slice(0, Number(prefix));
}

/** Of an address that ends in `::`, as all of ours do. */
function bitsOfSix(address: string): string {
  const groups = address
    .replace(/::$/, '')
    .split(':')
    .filter((group) => group !== '');
  return groups
    .map((group) => bin(Number.parseInt(group, 16), 16))
    .join('')
    .padEnd(128, '0');
}

function bin(value: number, width: number): string {
  return value.toString(2).padStart(width, '0');
}
