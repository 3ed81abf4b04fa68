import { intersect, type Network } from '@meshwork/addresses';
import { type Allow, mergeAllows } from '../document/allow.ts';
import type { Grant } from '../document/document.ts';
import { parseAllows, without } from './allow-difference.ts';
import type { Terms } from './cohort.ts';
import type { Engine } from './engine.ts';
import { networkOf } from './plan.ts';
import type { Segment } from './segments.ts';
import { NO_TERMS } from './terms-table.ts';

/** Something that opens or closes, in the words of the grants that say so. */
export interface Flow {
  /** Name of a group. */
  readonly from: string;
  /** Name of a group, or a network. */
  readonly to: string;
  /** One item: `tcp:22`. */
  readonly allow: string;
  /**
   * Between how many nodes, counted from source to destination (or to who forwards to the network), it really does.
   * 0: the policy says it now, or no longer, but no node is affected or another grant allows the same.
   */
  readonly pairs: number;
}

type Time = 'before' | 'after';

/** What is allowed at one time and was not, or will not be, at the other. */
export class Flows {
  readonly #engines: Readonly<Record<Time, Engine>>;
  readonly #now: Time;
  readonly #then: Time;
  /** Pairs of nodes by item, by `from -> to`. */
  readonly #pairs = new Map<string, Map<string, number>>();
  /** What one list opens more than another. The same few come up between most cohorts. */
  readonly #more = new Map<string, readonly Allow[]>();

  constructor(engines: Readonly<Record<Time, Engine>>, now: Time) {
    this.#engines = engines;
    this.#now = now;
    this.#then = now === 'before' ? 'after' : 'before';
  }

  /** Counts what the members of one segment may do on, or behind, those of the other. */
  count(source: Segment, destination: Segment): void {
    const isSame = source.members === destination.members;
    const pairs = source.members.length * (destination.members.length - (isSame ? 1 : 0));
    for (const [name, allows] of this.#newlyAllowed(source, destination)) {
      const counts = this.#countsOf(name);
      for (const item of mergeAllows(allows)) counts.set(item, (counts.get(item) ?? 0) + pairs);
    }
  }

  /** In the order of the document, including what its grants say without effect on any node. */
  list(): readonly Flow[] {
    const then = allowsByName(this.#engines[this.#then]);
    const flows: Flow[] = [];
    for (const [name, { from, to, allows }] of allowsByName(this.#engines[this.#now])) {
      const counts = this.#countsOf(name);
      const noticed = parseAllows(counts.keys());
      for (const item of without(allows, [...(then.get(name)?.allows ?? []), ...noticed])) counts.set(item, 0);
      for (const allow of [...counts.keys()].sort(canonically)) {
        flows.push({ from, to, allow, pairs: counts.get(allow) ?? 0 });
      }
    }
    return flows;
  }

  #newlyAllowed(source: Segment, destination: Segment): ReadonlyMap<string, Allow[]> {
    const allowed = new Map<string, Allow[]>();
    const engine = this.#engines[this.#now];
    const [from, to] = [source[this.#now], destination[this.#now]];
    if (from === undefined || to === undefined) return allowed;
    const then = this.#termsThen(source, destination);
    const add = (index: number, allowedThen: readonly string[]) => {
      const grant = engine.document.grants[index];
      const more = grant === undefined ? [] : this.#moreThan(grant, allowedThen);
      if (grant === undefined || more.length === 0) return;
      const known = allowed.get(nameOf(grant));
      if (known === undefined) allowed.set(nameOf(grant), [...more]);
      else known.push(...more);
    };
    for (const grant of engine.grantsFrom(from, to)) add(grant, then.allow);
    for (const { grant, to: network } of engine.grantsBehind(from, to)) add(grant, allowedIn(network, then.forward));
    return allowed;
  }

  #moreThan(grant: Grant, allowedThen: readonly string[]): readonly Allow[] {
    const key = `${grant.allow.join()} ${allowedThen.join()}`;
    let more = this.#more.get(key);
    if (more === undefined) {
      more = parseAllows(without(parseAllows(grant.allow), parseAllows(allowedThen)));
      this.#more.set(key, more);
    }
    return more;
  }

  #termsThen(source: Segment, destination: Segment): Terms {
    const [from, to] = [source[this.#then], destination[this.#then]];
    return from === undefined || to === undefined ? NO_TERMS : this.#engines[this.#then].terms(to, from);
  }

  #countsOf(name: string): Map<string, number> {
    let counts = this.#pairs.get(name);
    if (counts === undefined) {
      counts = new Map();
      this.#pairs.set(name, counts);
    }
    return counts;
  }
}

function nameOf({ from, to }: Grant): string {
  return `${from} -> ${to}`;
}

/** What the grants that count say, for each two that they are about. */
function allowsByName({ document, lapsed }: Engine) {
  const said = new Map<string, { readonly from: string; readonly to: string; readonly allows: Allow[] }>();
  for (const [index, grant] of document.grants.entries()) {
    if (lapsed.has(index)) continue;
    const allows: Allow[] = said.get(nameOf(grant))?.allows ?? [];
    allows.push(...parseAllows(grant.allow));
    said.set(nameOf(grant), { from: grant.from, to: grant.to, allows });
  }
  return said;
}

/** What was allowed in all of a network: in itself, or in one that contains it. */
function allowedIn(network: string, forward: Terms['forward']): readonly string[] {
  const inner = networkOf(network);
  return forward.filter(({ to }) => contains(networkOf(to), inner)).flatMap(({ allow }) => allow);
}

function contains(outer: Network | undefined, inner: Network | undefined): boolean {
  if (outer === undefined || inner === undefined || outer.prefix > inner.prefix) return false;
  return intersect(outer, inner) !== undefined;
}

function canonically(a: string, b: string): number {
  const [left, right] = parseAllows([a, b]);
  if (left === undefined || right === undefined || left.protocol !== right.protocol) return a < b ? -1 : 1;
  return left.from - right.from || left.to - right.to;
}
