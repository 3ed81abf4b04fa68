import { type Allow, mergeAllows } from '../document/allow.ts';
import type { Terms } from './cohort.ts';
import type { KeptCohort } from './kept-cohort.ts';
import type { Link } from './sides.ts';
import type { Position } from './signature.ts';
import { intern, NO_TERMS } from './terms-table.ts';

/** A link that joins two cohorts, and how the one at its end is on it. */
interface Joint {
  readonly link: Link;
  readonly at: Position;
}

/** Ours: many more ways to be joined than policies have, and few enough to forget. */
const MOST_SPOTS = 100_000;

/** Where one gets to by following the links that join a pair, one after the other. */
interface Spot {
  readonly next: Map<number, Spot>;
  terms: Terms | undefined;
}

/**
 * The terms of pairs of cohorts. Pairs that are joined by the same links end up at the same spot, where the answer
 * lies ready; most pairs of a mesh are joined in one of a few ways.
 */
export class PairTerms {
  readonly #linkCount: number;
  #start: Spot = { next: new Map(), terms: NO_TERMS };
  #spots = 1;

  constructor(linkCount: number) {
    this.#linkCount = linkCount;
  }

  between(viewer: KeptCohort, peer: KeptCohort): Terms {
    const [own, theirs] = [viewer.signature, peer.signature];
    const isOneBoundary = own.boundary === theirs.boundary;
    let spot = this.#start;
    for (const { links } of theirs.sources) {
      for (const link of links) {
        const at = own.targets.get(link.target);
        if (at !== undefined && (isOneBoundary || !link.within)) spot = this.#follow(spot, this.#key(link, at));
      }
    }
    for (const { networkLinks } of own.sources) {
      for (const link of networkLinks) {
        const at = theirs.targets.get(link.target);
        if (at === undefined || (link.within && !isOneBoundary)) continue;
        // Where the peer is decides how its networks rank, so the two are different answers.
        spot = this.#follow(spot, -1 - 2 * this.#key(link, at) - Number(isOneBoundary));
      }
    }
    spot.terms ??= termsOf(jointsOf(peer, viewer), jointsOf(viewer, peer), isOneBoundary);
    return spot.terms;
  }

  #key(link: Link, at: Position): number {
    return at.id * this.#linkCount + link.id;
  }

  #follow(spot: Spot, key: number): Spot {
    let next = spot.next.get(key);
    if (next === undefined) {
      // A walk that is on a forgotten spot goes on from it; only later pairs begin anew.
      if (++this.#spots > MOST_SPOTS) this.#forget();
      next = { next: new Map(), terms: undefined };
      spot.next.set(key, next);
    }
    return next;
  }

  #forget(): void {
    this.#start = { next: new Map(), terms: NO_TERMS };
    this.#spots = 1;
  }
}

function termsOf(inward: readonly Joint[], outward: readonly Joint[], isOneBoundary: boolean): Terms {
  const routes = routesOf(outward);
  const own = { allow: allowOf(inward), forward: forwardOf(inward), routes };
  if (isOneBoundary || routes.length === 0) return intern(own);
  const via = routesOf(outward.filter(({ link }) => link.target.group !== undefined));
  const shared = routes.filter((network) => !via.includes(network));
  return intern({
    ...own,
    ...(via.length === 0 ? {} : { routes_via: via }),
    ...(shared.length === 0 ? {} : { routes_shared: shared }),
  });
}

/** The links by which members of one cohort may reach those of the other, or what is behind them. */
export function jointsOf(from: KeptCohort, to: KeptCohort): readonly Joint[] {
  const joints: Joint[] = [];
  const { targets, boundary } = to.signature;
  for (const { links } of from.signature.sources) {
    for (const link of links) {
      const at = targets.get(link.target);
      if (at !== undefined && (!link.within || from.signature.boundary === boundary)) joints.push({ link, at });
    }
  }
  return joints;
}

function allowOf(joints: readonly Joint[]): readonly string[] {
  return mergeAllows(joints.flatMap(({ link }) => (link.target.network === undefined ? link.allow : [])));
}

function forwardOf(joints: readonly Joint[]): Terms['forward'] {
  const allows = new Map<string, Allow[]>();
  for (const { link, at } of joints) {
    for (const network of at.networks) allows.set(network, [...(allows.get(network) ?? []), ...link.allow]);
  }
  return [...allows.keys()].sort().map((to) => ({ to, allow: mergeAllows(allows.get(to) ?? []) }));
}

function routesOf(joints: readonly Joint[]): readonly string[] {
  return [...new Set(joints.flatMap(({ at }) => at.networks))].sort();
}
