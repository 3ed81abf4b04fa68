import { type Address, intersect, type Network, parseNetwork } from '@meshwork/addresses';
import type { Allow } from '../document/allow.ts';
import { parseAllows } from '../engine/allow-difference.ts';
import type { Terms } from '../engine/cohort.ts';
import type { Engine } from '../engine/engine.ts';
import { chooseRoutes, routeOptions, routeTo } from '../routes/choose-route.ts';
import type { Part } from './mesh-sides.ts';
import type { Tallied, Tally } from './tally.ts';

interface Outside {
  readonly to: string;
  readonly behind: Network;
  readonly providers: readonly Part[];
}

/** The key of those whom nothing leads there. */
const NOWHERE = -1;

/** An address behind the mesh: a packet goes through the provider that the source chooses, and has to be allowed there. */
export function tallyOutside(engine: Engine, sources: readonly Part[], outside: Outside): Tallied {
  const tallies = new Map<number, { count: number; readonly ways: Tally['ways'] }>();
  const numbers = new Map<Terms, number>();
  const numberOf = (terms: Terms) => {
    const number = numbers.get(terms) ?? numbers.size;
    numbers.set(terms, number);
    return number;
  };
  const own = new Set(outside.providers.flatMap(({ members }) => [...members]));
  const address = { family: outside.behind.family, value: outside.behind.base };
  const counted = sources.map((from) => {
    const taken = takenBy(engine, from, { providers: outside.providers, address });
    const key = taken === undefined ? NOWHERE : numberOf(taken);
    const tally = tallies.get(key) ?? { count: 0, ways: taken === undefined ? [] : [allowedTo(outside, taken)] };
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

/** What the provider that the source goes through has as terms with it. Undefined: no route leads there. */
function takenBy(engine: Engine, { cohort }: Part, { providers, address }: Chosen): Terms | undefined {
  const byProvider = new Map(providers.map((part) => [oldest(part), part.cohort]));
  const options = [...byProvider].flatMap(([id, provider]) => [...routeOptions(id, engine.terms(cohort, provider))]);
  const taken = routeTo(chooseRoutes(options, 'all'), address);
  const provider = taken && byProvider.get(taken.provider);
  return provider && engine.terms(provider, cohort);
}

interface Chosen {
  readonly providers: readonly Part[];
  readonly address: Address;
}

/** Of those who are treated alike, the one that wins over the others. */
function oldest({ members }: Part): string {
  return [...members].reduce((first, next) => (next < first ? next : first));
}

function allowedTo({ behind }: Outside, { forward }: Terms): readonly Allow[] {
  return forward.flatMap(({ to, allow }) => (leadsTo(to, behind) === undefined ? [] : parseAllows(allow)));
}

/** The size of the network, if the address is in it. */
function leadsTo(text: string, behind: Network): number | undefined {
  const network = parseNetwork(text);
  return network === undefined || intersect(network, behind) === undefined ? undefined : network.prefix;
}
