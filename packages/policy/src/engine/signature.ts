import { formatNetwork, intersect, type Network, parseNetwork } from '@meshwork/addresses';
import type { Conditions } from '../document/document.ts';
import { isAtLeast } from '../document/version.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { Plan } from './plan.ts';
import { SideIndex } from './side-index.ts';
import type { SourceSide, TargetSide } from './sides.ts';

/** All that the policy can tell about a node. What holds between two nodes follows from their two signatures alone. */
export interface Signature {
  /** Equal for equal signatures under one plan. */
  readonly key: string;
  readonly sources: readonly SourceSide[];
  readonly targets: ReadonlyMap<TargetSide, Position>;
  /** Undefined where no grant asks for it, so that teams which are treated alike are of one cohort. */
  readonly boundary: string | undefined;
}

/** How a node is on a target side: itself, or as one who forwards to these networks. */
export interface Position {
  /** The same number is the same networks. */
  readonly id: number;
  readonly networks: readonly string[];
}

const ITSELF: Position = { id: 0, networks: [] };
/** Ours: more combinations of networks than meshes have, and few enough to forget. */
const MAX_POSITIONS = 10_000;
/** Ours: there are a handful of versions in any mesh, but agents say what they like. */
const MOST_VERSIONS = 1000;

export class Signatures {
  readonly #index: SideIndex;
  /** By `minimum version`: whether it suffices. Versions are compared by text, and the same few come up for every node. */
  readonly #recent = new Map<string, boolean>();
  readonly #positions = new Map<string, Position>();
  #lastPosition = 0;

  constructor(plan: Plan) {
    this.#index = new SideIndex(plan);
  }

  of(node: PolicyNode): Signature {
    const sources = new Set<SourceSide>();
    const targets = new Map<TargetSide, Position>();
    for (const standing of this.#index.standingsOf(node)) {
      for (const side of standing.sources) if (this.#holds(side.when, node)) sources.add(side);
      for (const side of standing.targets) {
        const position = this.#positionOf(side, node);
        if (position !== undefined) targets.set(side, position);
      }
    }
    return signature(
      node,
      [...sources].sort(byId),
      [...targets].sort(([a], [b]) => byId(a, b)),
    );
  }

  /** Undefined: it is not on this side, having nothing of the network. */
  #positionOf({ network, shared }: TargetSide, node: PolicyNode): Position | undefined {
    if (network === undefined) return ITSELF;
    const networks = commonNetworks(network, node.name, shared ? node.shares : node.provides);
    if (networks.length === 0) return undefined;
    const key = networks.join();
    let position = this.#positions.get(key);
    if (position === undefined) {
      position = { id: ++this.#lastPosition, networks };
      if (this.#positions.size >= MAX_POSITIONS) this.#positions.clear();
      this.#positions.set(key, position);
    }
    return position;
  }

  #holds(when: Conditions, node: PolicyNode): boolean {
    if (when.fresh === true && !node.fresh) return false;
    if (when.tag !== undefined && !node.tags.includes(when.tag)) return false;
    return when.agent_version === undefined || this.#isRecent(node.agent_version, when.agent_version);
  }

  #isRecent(version: string | null, minimum: string): boolean {
    if (version === null) return false;
    const key = `${minimum} ${version}`;
    let recent = this.#recent.get(key);
    if (recent === undefined) {
      recent = isAtLeast(version, minimum);
      if (this.#recent.size >= MOST_VERSIONS) this.#recent.clear();
      this.#recent.set(key, recent);
    }
    return recent;
  }
}

function signature(
  node: PolicyNode,
  sources: readonly SourceSide[],
  targets: readonly (readonly [TargetSide, Position])[],
): Signature {
  let asksForBoundary = false;
  // Numbers of sides, networks and a boundary all look different, so nothing has to stand between them but a space.
  const parts: (string | number)[] = [];
  for (const { id, within } of sources) {
    parts.push(id);
    asksForBoundary ||= within;
  }
  for (const [{ id, within }, { networks }] of targets) {
    parts.push(id, ...networks);
    asksForBoundary ||= within;
  }
  const { team, surface, environment } = node.boundary;
  const boundary = asksForBoundary ? JSON.stringify([team, surface, environment]) : undefined;
  if (boundary !== undefined) parts.push(boundary);
  return { key: parts.join(' '), sources, targets: new Map(targets), boundary };
}

function commonNetworks(network: Network, name: string, provides: readonly string[]): readonly string[] {
  const networks = new Set<string>();
  for (const text of provides) {
    const provided = parseNetwork(text);
    if (provided === undefined) throw new Error(`${name} provides ${text}, which is no network in canonical form.`);
    const common = intersect(network, provided);
    if (common !== undefined) networks.add(formatNetwork(common));
  }
  return [...networks].sort();
}

function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id;
}
