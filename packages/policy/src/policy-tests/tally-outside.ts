import type { Allow } from '../document/allow.ts';
import { intersect, type Network, parseNetwork } from '../document/network.ts';
import { parseAllows } from '../engine/allow-difference.ts';
import type { Terms } from '../engine/cohort.ts';
import type { Engine } from '../engine/engine.ts';
import type { Part } from './mesh-sides.ts';
import type { Tallied, Tally } from './tally.ts';

interface Outside {
  readonly to: string;
  readonly behind: Network;
  readonly providers: readonly Part[];
}

/** An address behind the mesh: a packet goes where the narrowest network leads, and has to be allowed there. */
export function tallyOutside(engine: Engine, sources: readonly Part[], outside: Outside): Tallied {
  const tallies = new Map<string, { count: number; readonly ways: Tally['ways'] }>();
  const numbers = new Map<Terms, number>();
  const numberOf = (terms: Terms) => {
    const number = numbers.get(terms) ?? numbers.size;
    numbers.set(terms, number);
    return number;
  };
  const own = new Set(outside.providers.flatMap(({ members }) => [...members]));
  const prefixOf = prefixesTo(outside.behind);
  const counted = sources.map((from) => {
    const taken = takenBy(engine, from, { ...outside, prefixOf });
    const key = [...new Set(taken.map(numberOf))].sort((a, b) => a - b).join();
    const tally = tallies.get(key) ?? { count: 0, ways: taken.map((terms) => allowedTo(outside, terms)) };
    tallies.set(key, tally);
    for (const id of from.members) if (!own.has(id)) tally.count++;
    return { from, tally };
  });
  return {
    tallies: [...tallies.values()],
    *named(some) {
      for (const { from, tally } of counted) {
        if (!some.has(tally)) continue;
        for (const id of from.members) if (!own.has(id)) yield `${engine.nodeOf(id)?.name ?? id} to ${outside.to}`;
      }
    },
  };
}

type PrefixOf = (terms: Terms) => number | undefined;

/** What those who forward are told of the source, of all whose network is the narrowest. */
function takenBy(
  engine: Engine,
  { cohort }: Part,
  { providers, prefixOf }: Outside & { readonly prefixOf: PrefixOf },
): readonly Terms[] {
  let best = -1;
  let taken: Terms[] = [];
  for (const provider of providers) {
    const prefix = prefixOf(engine.terms(cohort, provider.cohort));
    if (prefix === undefined || prefix < best) continue;
    if (prefix > best) [best, taken] = [prefix, []];
    taken.push(engine.terms(provider.cohort, cohort));
  }
  return taken;
}

/** The size of the narrowest network with the address in it that terms lead to. They are few, and come up again and again. */
function prefixesTo(behind: Network): PrefixOf {
  const known = new Map<Terms, number | undefined>();
  return (terms) => {
    if (terms.routes.length === 0) return undefined;
    if (!known.has(terms)) {
      const prefixes = terms.routes.flatMap((text) => leadsTo(text, behind) ?? []);
      known.set(terms, prefixes.length === 0 ? undefined : Math.max(...prefixes));
    }
    return known.get(terms);
  };
}

function allowedTo({ behind }: Outside, { forward }: Terms): readonly Allow[] {
  return forward.flatMap(({ to, allow }) => (leadsTo(to, behind) === undefined ? [] : parseAllows(allow)));
}

/** The size of the network, if the address is in it. */
function leadsTo(text: string, behind: Network): number | undefined {
  const network = parseNetwork(text);
  return network === undefined || intersect(network, behind) === undefined ? undefined : network.prefix;
}
