import { parseAllows } from '../engine/allow-difference.ts';
import type { Cohort, Terms } from '../engine/cohort.ts';
import type { Engine } from '../engine/engine.ts';
import type { Part } from './mesh-sides.ts';
import type { Tallied, Tally } from './tally.ts';

/** Whom the members of a cohort may reach: numbers of cohorts, ascending, and beside each the number of its terms. */
interface Row {
  readonly cohorts: Uint32Array;
  readonly terms: Uint32Array;
}

interface Wanted {
  readonly sources: readonly Part[];
  readonly destinations: readonly Part[];
  readonly isWanted: (terms: number) => boolean;
}

/** The number of the terms that allow nothing. */
const NOTHING = 0;
const NO_TALLY: Tally = { count: 0, ways: [] };
/** Ours: how many entries of rows are kept to be used again, at eight bytes each. */
const MOST_ENTRIES = 4_000_000;

/**
 * Counts pairs of nodes by what the one may do on the other. The engine is asked once what holds between two cohorts that
 * are peers; all others are what is left, so a walk costs what there is of peers.
 */
export class NodeTallies {
  readonly #engine: Engine;
  readonly #numbers: ReadonlyMap<Cohort, number>;
  readonly #termsNumbers = new Map<Terms, number>();
  /** By number of terms. */
  readonly #ways: Tally['ways'][] = [[[]]];
  readonly #rows = new Map<Cohort, Row>();
  #entries = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#numbers = new Map(Array.from(engine.cohorts(), (cohort, number) => [cohort, number]));
  }

  between(sources: readonly Part[], destinations: readonly Part[]): Tallied {
    const sizes = new Float64Array(this.#numbers.size);
    for (const { cohort, members } of destinations) sizes[this.#numberOf(cohort)] = members.size;
    const allMembers = sizes.reduce((sum, size) => sum + size, 0);
    const inOwn = new Map(destinations.map((part) => [part.cohort, part]));
    const counts: number[] = [];
    const add = (terms: number, count: number) => {
      counts[terms] = (counts[terms] ?? 0) + count;
    };
    for (const from of sources) {
      const { cohorts, terms } = this.#rowOf(from.cohort);
      const own = this.#numberOf(from.cohort);
      let [left, toOwn] = [allMembers, NOTHING];
      for (let entry = 0; entry < cohorts.length; entry++) {
        const place = cohorts[entry] ?? 0;
        const size = sizes[place] ?? 0;
        if (size === 0) continue;
        left -= size;
        if (place === own) toOwn = terms[entry] ?? NOTHING;
        add(terms[entry] ?? NOTHING, from.members.size * size);
      }
      add(NOTHING, from.members.size * left);
      add(toOwn, -inBoth(from, inOwn.get(from.cohort)));
    }
    const tallies = new Map<number, Tally>();
    for (const [terms, count = 0] of counts.entries()) {
      if (count > 0) tallies.set(terms, { count, ways: this.#ways[terms] ?? [] });
    }
    const named = (some: ReadonlySet<Tally>) =>
      this.#named({ sources, destinations, isWanted: (terms) => some.has(tallies.get(terms) ?? NO_TALLY) });
    return { tallies: [...tallies.values()], named };
  }

  *#named({ sources, destinations, isWanted }: Wanted): Generator<string> {
    const names = (id: string) => this.#engine.nodeOf(id)?.name ?? id;
    for (const from of sources) {
      const row = this.#rowOf(from.cohort);
      if (!isWanted(NOTHING) && !row.terms.some(isWanted)) continue;
      const terms = new Map(Array.from(row.cohorts, (place, entry) => [place, row.terms[entry] ?? NOTHING]));
      for (const to of destinations) {
        if (!isWanted(terms.get(this.#numberOf(to.cohort)) ?? NOTHING)) continue;
        for (const source of from.members) {
          for (const target of to.members) if (source !== target) yield `${names(source)} to ${names(target)}`;
        }
      }
    }
  }

  #numberOf(cohort: Cohort): number {
    const number = this.#numbers.get(cohort);
    if (number === undefined) throw new Error('The mesh was changed while its tests were run.');
    return number;
  }

  #rowOf(cohort: Cohort): Row {
    const known = this.#rows.get(cohort);
    if (known !== undefined) return known;
    const entries = this.#engine.peersOf(cohort).flatMap((peer) => {
      const terms = this.#termsNumber(this.#engine.terms(peer, cohort));
      return terms === NOTHING ? [] : [{ place: this.#numberOf(peer), terms }];
    });
    entries.sort((a, b) => a.place - b.place);
    const row = {
      cohorts: Uint32Array.from(entries, ({ place }) => place),
      terms: Uint32Array.from(entries, ({ terms }) => terms),
    };
    this.#entries += entries.length;
    if (this.#entries <= MOST_ENTRIES) this.#rows.set(cohort, row);
    return row;
  }

  #termsNumber(terms: Terms): number {
    if (terms.allow.length === 0) return NOTHING;
    let number = this.#termsNumbers.get(terms);
    if (number === undefined) {
      number = this.#ways.push([parseAllows(terms.allow)]) - 1;
      this.#termsNumbers.set(terms, number);
    }
    return number;
  }
}

/** Only nodes of the same cohort can be the same node. */
function inBoth(from: Part, to: Part | undefined): number {
  if (to === undefined) return 0;
  const [few, many] = from.members.size < to.members.size ? [from, to] : [to, from];
  let count = 0;
  for (const id of few.members) if (many.members.has(id)) count++;
  return count;
}
