import { setTimeout as pause } from 'node:timers/promises';
import type { Link } from '@meshwork/contract';
import { expectedPath } from './every-site.ts';
import type { MeshOfSites } from './mesh-of-sites.ts';

/** How often a pair is looked at. */
const LOOK_MS = 500;

export interface TriedPair {
  readonly a: string;
  readonly b: string;
  readonly expected: Link['path'];
  readonly path: Link['path'];
  /** All of the link, if it goes otherwise than expected. */
  readonly why: string;
  readonly passed: boolean;
  /** Until a first packet was there. */
  readonly first_ms: number;
  /** Until the link had the path that it keeps. */
  readonly settled_ms: number;
}

/** Sends between two until they have found their path. */
export async function tryPair(
  mesh: MeshOfSites,
  [a, b]: readonly [string, string],
  within_ms: number,
): Promise<TriedPair> {
  const expected = expectedPath(a, b);
  const began = performance.now();
  const there = await mesh.passes(a, b, within_ms);
  let link = await mesh.link(a, b);
  while (performance.now() - began < within_ms && !isSettled(link, expected)) {
    await Promise.all([mesh.passes(a, b, 1000), mesh.passes(b, a, 1000)]);
    await pause(LOOK_MS);
    link = await mesh.link(a, b);
  }
  const settled_ms = Math.round(performance.now() - began);
  const back = await mesh.passes(b, a, within_ms);
  const why = link.path === expected ? '' : JSON.stringify(link);
  const passed = there.passed && back.passed;
  return { a, b, expected, path: link.path, why, passed, first_ms: Math.round(there.ms), settled_ms };
}

/** A direct path is found or not within moments; until then a link is relayed and says so. */
function isSettled({ path, a_view, b_view }: Link, expected: Link['path']): boolean {
  const isLooking = [a_view, b_view].some((view) => view?.why?.includes('being looked for') === true);
  return path === expected && !isLooking;
}
