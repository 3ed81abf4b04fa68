/**
 * The rules of the policy in the slowest and most obvious way: every node against every node, through every grant. Nothing
 * of the engine is in it, so that both can only agree where both are right.
 */

import { formatNetwork, intersect, parseNetwork } from '@meshwork/addresses';
import { mergeAllows, parseAllow } from '../src/document/allow.ts';
import type { Grant, PolicyDocument } from '../src/document/document.ts';
import { compareVersions } from '../src/document/version.ts';
import type { Terms } from '../src/engine/cohort.ts';
import type { PolicyNode } from '../src/policy-node.ts';

export interface ReferenceMesh {
  readonly document: PolicyDocument;
  readonly nodes: readonly PolicyNode[];
  readonly lapsed: ReadonlySet<number>;
}

/** By the id of the peer. */
export interface ReferenceView {
  readonly terms: ReadonlyMap<string, Terms>;
  readonly matches: readonly string[];
}

/** Everything that one node is sent. */
export function referenceView(mesh: ReferenceMesh, viewer: PolicyNode): ReferenceView {
  const terms = new Map<string, Terms>();
  for (const peer of mesh.nodes) {
    const inward = allowedBetween(mesh, peer, viewer);
    const outward = allowedBetween(mesh, viewer, peer);
    if (inward.length + outward.length > 0) {
      terms.set(peer.id, termsOf(inward, outward, isSameBoundary(viewer, peer)));
    }
  }
  return { terms, matches: matchesOf(mesh, viewer) };
}

/** The same for the node with this id. Empty: there is none. */
export function referenceViewOf(mesh: ReferenceMesh, id: string): ReferenceView {
  const node = mesh.nodes.find((candidate) => candidate.id === id);
  return node === undefined ? { terms: new Map(), matches: [] } : referenceView(mesh, node);
}

/** What is not the same for one node in two meshes, in ids. */
export interface ReferenceDifference {
  readonly lost: readonly string[];
  readonly gained: readonly string[];
  readonly terms: readonly string[];
  readonly matches: boolean;
}

export function referenceDifference(then: ReferenceMesh, now: ReferenceMesh, id: string): ReferenceDifference {
  const [before, after] = [referenceViewOf(then, id), referenceViewOf(now, id)];
  const said = (view: ReferenceView, peer: string) => JSON.stringify(view.terms.get(peer));
  const [were, are] = [[...before.terms.keys()].sort(), [...after.terms.keys()].sort()];
  return {
    lost: were.filter((peer) => !after.terms.has(peer)),
    gained: are.filter((peer) => !before.terms.has(peer)),
    terms: are.filter((peer) => before.terms.has(peer) && said(before, peer) !== said(after, peer)),
    matches: before.matches.join() !== after.matches.join(),
  };
}

/** One grant that lets a node reach another, or networks behind it. */
interface Allowed {
  readonly index: number;
  readonly grant: Grant;
  /** Undefined: the other node itself. */
  readonly behind: readonly string[] | undefined;
}

export function allowedBetween(mesh: ReferenceMesh, from: PolicyNode, to: PolicyNode): readonly Allowed[] {
  if (from.id === to.id || isDropped(mesh, from) || isDropped(mesh, to)) return [];
  const allowed: Allowed[] = [];
  for (const [index, grant] of mesh.document.grants.entries()) {
    if (mesh.lapsed.has(index) || !isSource(mesh.document, grant, from)) continue;
    if (grant.within === 'boundary' && !isSameBoundary(from, to)) continue;
    if (!grant.to.includes('/')) {
      if (belongs(mesh.document, grant.to, to)) allowed.push({ index, grant, behind: undefined });
      continue;
    }
    const isOpen = isSameBoundary(from, to) || grant.via !== undefined;
    const behind = providedFor(mesh.document, grant, isOpen ? to : { ...to, provides: to.shares });
    if (behind.length > 0) allowed.push({ index, grant, behind });
  }
  return allowed;
}

function termsOf(inward: readonly Allowed[], outward: readonly Allowed[], isOneBoundary: boolean): Terms {
  const networks = new Set(inward.flatMap(({ behind }) => behind ?? []));
  const forward = [...networks].sort().map((to) => {
    const grants = inward.filter(({ behind }) => behind?.includes(to));
    return { to, allow: merged(grants) };
  });
  const direct = inward.filter(({ behind }) => behind === undefined);
  const routes = [...new Set(outward.flatMap(({ behind }) => behind ?? []))].sort();
  const named = outward.filter(({ grant }) => grant.via !== undefined).flatMap(({ behind }) => behind ?? []);
  const routes_via = isOneBoundary ? [] : routes.filter((network) => named.includes(network));
  const routes_shared = isOneBoundary ? [] : routes.filter((network) => !named.includes(network));
  return {
    allow: merged(direct),
    forward,
    routes,
    ...(routes_via.length > 0 && { routes_via }),
    ...(routes_shared.length > 0 && { routes_shared }),
  };
}

function merged(allowed: readonly Allowed[]): readonly string[] {
  const texts = allowed.flatMap(({ grant }) => grant.allow);
  return mergeAllows(texts.map((text) => parseAllow(text)).filter((allow) => allow !== undefined));
}

function matchesOf({ document, lapsed, ...mesh }: ReferenceMesh, node: PolicyNode): readonly string[] {
  const matches: string[] = [];
  if (isDropped({ document, lapsed, ...mesh }, node)) return matches;
  for (const [index, grant] of document.grants.entries()) {
    if (lapsed.has(index)) continue;
    const takesPart =
      isSource(document, grant, node) ||
      (grant.to.includes('/') ? providedFor(document, grant, node).length > 0 : belongs(document, grant.to, node));
    const text = `${grant.from} -> ${grant.to}`;
    if (takesPart && !matches.includes(text)) matches.push(text);
  }
  return matches;
}

function isDropped({ document }: ReferenceMesh, node: PolicyNode): boolean {
  return document.stale === 'drop' && !node.fresh;
}

function isSource(document: PolicyDocument, { from, when = {} }: Grant, node: PolicyNode): boolean {
  if (!belongs(document, from, node)) return false;
  if (when.fresh && !node.fresh) return false;
  if (when.tag !== undefined && !node.tags.includes(when.tag)) return false;
  if (when.agent_version === undefined) return true;
  return node.agent_version !== null && compareVersions(node.agent_version, when.agent_version) >= 0;
}

/** What of the grant's network the node forwards to, if the grant lets it. */
function providedFor(document: PolicyDocument, { to, via }: Grant, node: PolicyNode): readonly string[] {
  if (via !== undefined && !belongs(document, via, node)) return [];
  const wanted = parseNetwork(to);
  const common = node.provides.map((text) => {
    const provided = parseNetwork(text);
    return wanted && provided ? intersect(wanted, provided) : undefined;
  });
  return common.filter((network) => network !== undefined).map(formatNetwork);
}

function belongs(document: PolicyDocument, group: string, node: PolicyNode): boolean {
  return (document.groups[group] ?? []).some((selector) => {
    if (selector === '*') return true;
    const [kind, ...rest] = selector.split(':');
    const value = rest.join(':');
    if (kind === 'tag') return node.tags.includes(value);
    if (kind === 'node') return node.name === value;
    if (kind === 'group') return belongs(document, value, node);
    const [team, surface, environment] = value.split('/');
    const { boundary } = node;
    return (
      (team === '*' || team === boundary.team) &&
      (surface === '*' || surface === boundary.surface) &&
      (environment === '*' || environment === boundary.environment)
    );
  });
}

function isSameBoundary({ boundary: a }: PolicyNode, { boundary: b }: PolicyNode): boolean {
  return a.team === b.team && a.surface === b.surface && a.environment === b.environment;
}
