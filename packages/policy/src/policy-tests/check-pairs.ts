import { intersect, type Network, parseNetwork } from '../document/network.ts';
import { counted } from '../document/problems.ts';
import type { Target } from '../document/target.ts';
import { parseAllows } from '../engine/allow-difference.ts';
import type { Terms } from '../engine/cohort.ts';
import type { Engine } from '../engine/engine.ts';
import { opens } from '../explain/wanted.ts';
import { listed } from '../explain/wording.ts';
import type { Part, Side } from './mesh-sides.ts';

interface Pairs {
  readonly engine: Engine;
  readonly source: Side;
  readonly destination: Side;
  readonly target: Target;
  readonly expected: 'allow' | 'deny';
}

/** Nobody reads the fourth name; how many there are is what counts then. */
const MOST_NAMED = 3;

/** What does not hold, in words. Undefined: all of it holds. Costs what the cohorts cost, whatever their size. */
export function checkPairs(pairs: Pairs): string | undefined {
  const wrong =
    pairs.destination.behind === undefined ? directOffenders(pairs) : outsideOffenders(pairs, pairs.destination.behind);
  if (wrong.count === 0) return undefined;
  const what = pairs.target.protocol === 'icmp' ? 'icmp' : `${pairs.target.protocol}:${pairs.target.port}`;
  const said = pairs.expected === 'allow' ? 'Nothing allows' : 'A grant allows';
  const more = wrong.count - wrong.named.length;
  const rest = more === 0 ? [] : [`for ${counted(more)} more ${more === 1 ? 'pair' : 'pairs'}`];
  return `${said} ${what} ${listed([...wrong.named.map((pair) => `from ${pair}`), ...rest])}.`;
}

interface Offenders {
  readonly count: number;
  /** `laptop-3 to git-1`, the first few. */
  readonly named: readonly string[];
}

/** Collects pairs that should not be as they are. */
class Found {
  count = 0;
  readonly named: string[] = [];

  add(count: number, pairs: Iterable<string>): void {
    this.count += count;
    for (const pair of pairs) {
      if (this.named.length >= MOST_NAMED) return;
      this.named.push(pair);
    }
  }
}

function directOffenders({ engine, source, destination, target, expected }: Pairs): Offenders {
  const found = new Found();
  const isOpen = memo((terms: Terms) => opens(parseAllows(terms.allow), target));
  for (const from of source.parts) {
    for (const to of destination.parts) {
      if (isOpen(engine.terms(to.cohort, from.cohort)) === (expected === 'allow')) continue;
      found.add(from.members.size * to.members.size - inBoth(from, to), pairsOf(engine, from, to));
    }
  }
  return found;
}

/** Only nodes of the same cohort can be the same node. */
function inBoth(from: Part, to: Part): number {
  if (from.cohort !== to.cohort) return 0;
  const [few, many] = from.members.size < to.members.size ? [from, to] : [to, from];
  let count = 0;
  for (const id of few.members) if (many.members.has(id)) count++;
  return count;
}

function* pairsOf(engine: Engine, from: Part, to: Part): Generator<string> {
  for (const source of from.members) {
    for (const destination of to.members) {
      if (source !== destination) yield `${nameOf(engine, source)} to ${nameOf(engine, destination)}`;
    }
  }
}

/** An address behind the mesh: a packet goes where the narrowest network leads, and has to be allowed there. */
function outsideOffenders(pairs: Pairs, behind: Network): Offenders {
  const { engine, source, destination, target, expected } = pairs;
  const found = new Found();
  const own = new Set(destination.parts.flatMap(({ members }) => [...members]));
  for (const from of source.parts) {
    const members = [...from.members].filter((id) => !own.has(id));
    if (isOpenBehind(pairs, from, behind) === (expected === 'allow')) continue;
    const names = members.slice(0, MOST_NAMED).map((id) => `${nameOf(engine, id)} to ${target.name}`);
    found.add(members.length, names);
  }
  return found;
}

/** Of several that are as near, for `allow` all have to let it through, for `deny` none may. */
function isOpenBehind({ engine, destination, target, expected }: Pairs, { cohort }: Part, behind: Network): boolean {
  const ways = destination.parts.flatMap((provider) => {
    const prefix = narrowest(engine.terms(cohort, provider.cohort).routes, behind);
    return prefix === undefined ? [] : [{ prefix, forward: engine.terms(provider.cohort, cohort).forward }];
  });
  const best = Math.max(-1, ...ways.map(({ prefix }) => prefix));
  const taken = ways.filter(({ prefix }) => prefix === best);
  const isOpen = ({ forward }: { readonly forward: Terms['forward'] }) =>
    forward.some(({ to, allow }) => leadsTo(to, behind) !== undefined && opens(parseAllows(allow), target));
  return expected === 'allow' ? taken.length > 0 && taken.every(isOpen) : taken.some(isOpen);
}

function narrowest(routes: readonly string[], behind: Network): number | undefined {
  const prefixes = routes.flatMap((text) => leadsTo(text, behind) ?? []);
  return prefixes.length === 0 ? undefined : Math.max(...prefixes);
}

/** The size of the network, if the address is in it. */
function leadsTo(text: string, behind: Network): number | undefined {
  const network = parseNetwork(text);
  return network === undefined || intersect(network, behind) === undefined ? undefined : network.prefix;
}

function nameOf(engine: Engine, id: string): string {
  return engine.nodeOf(id)?.name ?? id;
}

/** Equal terms are the same object, and a mesh has few of them. */
function memo(ask: (terms: Terms) => boolean): (terms: Terms) => boolean {
  const known = new Map<Terms, boolean>();
  return (terms) => {
    let answer = known.get(terms);
    if (answer === undefined) {
      answer = ask(terms);
      known.set(terms, answer);
    }
    return answer;
  };
}
