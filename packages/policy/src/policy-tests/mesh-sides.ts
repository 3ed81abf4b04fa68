import { intersect, type Network, parseAddress, parseNetwork } from '@meshwork/addresses';
import { nearest } from '../document/nearest.ts';
import type { Target } from '../document/target.ts';
import type { Cohort } from '../engine/cohort.ts';
import type { Engine } from '../engine/engine.ts';
import { PolicyIndex } from '../explain/policy-index.ts';
import type { Directory } from './directory.ts';

/** Nodes of one side of a test that the policy cannot tell apart. */
export interface Part {
  readonly cohort: Cohort;
  /** Ids. */
  readonly members: ReadonlySet<string>;
}

/** All that one side of a test names. */
export interface Side {
  readonly parts: readonly Part[];
  /** With an address behind the mesh, which the parts forward to. */
  readonly behind?: Network;
  /** Why it has no nodes. `always`: not even a `deny` can be right with it. */
  readonly problem?: { readonly always: boolean; readonly detail: string };
}

/** Ours: with more unknown names than this, hints do not help. */
const MOST_HINTS = 20;

/**
 * Turns what tests name into nodes, by cohort. The mesh is walked once, however many tests there are, and the same name is
 * always the same side.
 */
export class MeshSides {
  readonly #engine: Engine;
  readonly #directory: Directory;
  readonly #groups: ReadonlyMap<string, Side>;
  readonly #providers: readonly { readonly id: string; readonly networks: readonly Network[] }[];
  readonly #addresses = new Map<string, Side>();
  readonly #names = new Map<string, Side>();
  #hints = 0;

  constructor(engine: Engine, directory: Directory) {
    this.#engine = engine;
    this.#directory = directory;
    const groups = new Map(Object.keys(engine.document.groups).map((name) => [name, new Map<Cohort, Set<string>>()]));
    const providers: { readonly id: string; readonly networks: readonly Network[] }[] = [];
    const index = PolicyIndex.of(engine.document);
    for (const cohort of engine.cohorts()) {
      for (const id of cohort.members) {
        const node = engine.nodeOf(id);
        if (node === undefined) continue;
        for (const group of index.groupsOf(node)) addTo(groups.get(group), cohort, id);
        if (node.provides.length > 0) providers.push({ id, networks: networksOf(node.provides) });
      }
    }
    this.#providers = providers;
    this.#groups = new Map(Array.from(groups, ([name, members]) => [name, groupSide(name, members)]));
  }

  /** `laptop-3` or `group:developers`. */
  source(from: string): Side {
    return from.startsWith('group:') ? this.#group(from.slice('group:'.length)) : this.#named(from);
  }

  target({ kind, name }: Target): Side {
    if (kind === 'group') return this.#group(name);
    return kind === 'node' ? this.#named(name) : this.#address(name);
  }

  #group(name: string): Side {
    const side = this.#groups.get(name);
    if (side === undefined) throw new Error(`There is no group ${name}: the tests were run without being checked.`);
    return side;
  }

  #named(name: string): Side {
    let side = this.#names.get(name);
    if (side === undefined) {
      const id = this.#directory.byName(name);
      side = id === undefined ? this.#unknown(name) : this.#one(id, name);
      this.#names.set(name, side);
    }
    return side;
  }

  /** To look for what was meant goes through all names, so it is done for the first few only. */
  #unknown(name: string): Side {
    const near = this.#hints++ < MOST_HINTS ? nearest(name, this.#directory.names()) : undefined;
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    return { parts: [], problem: { always: true, detail: `No node is called ${name}.${hint}` } };
  }

  #one(id: string, name: string): Side {
    const cohort = this.#engine.cohortOf(id);
    if (cohort !== undefined) return { parts: [{ cohort, members: new Set([id]) }] };
    return { parts: [], problem: { always: false, detail: `${name} is not a member of the mesh, and has no peers.` } };
  }

  #address(address: string): Side {
    let side = this.#addresses.get(address);
    if (side === undefined) {
      const id = this.#directory.byAddress(address);
      side = id === undefined ? this.#behind(address) : this.#one(id, address);
      this.#addresses.set(address, side);
    }
    return side;
  }

  #behind(address: string): Side {
    const parsed = parseAddress(address);
    if (parsed === undefined) throw new Error(`${address} is no address: the tests were run without being checked.`);
    const behind: Network = { family: parsed.family, base: parsed.value, prefix: parsed.family === 4 ? 32 : 128 };
    const parts = new Map<Cohort, Set<string>>();
    for (const { id, networks } of this.#providers) {
      const cohort = this.#engine.cohortOf(id);
      if (cohort !== undefined && networks.some((network) => intersect(network, behind) !== undefined))
        addTo(parts, cohort, id);
    }
    if (parts.size > 0) return { parts: partsOf(parts), behind };
    return { parts: [], behind, problem: { always: false, detail: `No node forwards to ${address}.` } };
  }
}

function addTo(parts: Map<Cohort, Set<string>> | undefined, cohort: Cohort, id: string): void {
  const members = parts?.get(cohort);
  if (members === undefined) parts?.set(cohort, new Set([id]));
  else members.add(id);
}

function partsOf(parts: ReadonlyMap<Cohort, ReadonlySet<string>>): readonly Part[] {
  return Array.from(parts, ([cohort, members]) => ({ cohort, members }));
}

function groupSide(name: string, parts: ReadonlyMap<Cohort, ReadonlySet<string>>): Side {
  if (parts.size > 0) return { parts: partsOf(parts) };
  return { parts: [], problem: { always: false, detail: `The group ${name} is empty, so this proves nothing.` } };
}

function networksOf(texts: readonly string[]): readonly Network[] {
  return texts.flatMap((text) => parseNetwork(text) ?? []);
}
