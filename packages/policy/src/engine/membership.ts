import type { PolicyDocument } from '../document/document.ts';
import { type LeafSelector, parseSelector, type Selectable, type Selector } from '../document/selector.ts';

/** A set of groups, a bit for each. Selectors share those of their groups, so that deep nesting costs no more than flat. */
type Bits = Uint32Array;

/** From the attributes of a node to the groups that it is in, with nested groups resolved once. */
export class Membership {
  readonly #names: readonly string[];
  readonly #everyNode: Bits;
  readonly #byTag = new Map<string, Bits[]>();
  readonly #byName = new Map<string, Bits[]>();
  readonly #byScope = new Map<string, Bits[]>();
  /** Which parts of a scope are spelled out by some selector: a node is looked up once for each. */
  readonly #scopeShapes = new Map<string, readonly [team: boolean, surface: boolean, environment: boolean]>();

  /** Only the `asked` groups are answered for a node; the others count for what they lead to. */
  constructor(groups: ReadonlyMap<string, readonly Selector[]>, asked: Iterable<string>) {
    this.#names = [...asked];
    this.#everyNode = new Uint32Array(Math.ceil(this.#names.length / 32));
    const reach = reachOf(groups, this.#names);
    for (const [group, selectors] of groups) {
      const reached = reach.get(group);
      if (reached === undefined || reached.every((word) => word === 0)) continue;
      for (const selector of selectors) {
        if (selector.kind === 'all') addAll(this.#everyNode, reached);
        else if (selector.kind !== 'group') this.#placeOf(selector).push(reached);
      }
    }
  }

  /** In the order in which they were asked about. */
  groupsOf({ name, tags, boundary }: Selectable): readonly string[] {
    const found = this.#everyNode.slice();
    const add = (more: readonly Bits[] | undefined) => {
      if (more !== undefined) for (const bits of more) addAll(found, bits);
    };
    add(this.#byName.get(name));
    for (const tag of tags) add(this.#byTag.get(tag));
    const { team, surface, environment } = boundary;
    for (const [byTeam, bySurface, byEnvironment] of this.#scopeShapes.values()) {
      // A part that the node does not have reads `*` too, and so is found only where the selector does not care.
      add(
        this.#byScope.get(scopeKey(byTeam ? team : '*', bySurface ? surface : '*', byEnvironment ? environment : '*')),
      );
    }
    return this.#named(found);
  }

  #named(bits: Bits): readonly string[] {
    const names: string[] = [];
    for (const [word, value] of bits.entries()) {
      for (let rest = value; rest !== 0; rest &= rest - 1) {
        const name = this.#names[word * 32 + 31 - Math.clz32(rest & -rest)];
        if (name !== undefined) names.push(name);
      }
    }
    return names;
  }

  #placeOf(selector: Exclude<LeafSelector, { kind: 'all' }>): Bits[] {
    switch (selector.kind) {
      case 'tag':
        return listAt(this.#byTag, selector.tag);
      case 'node':
        return listAt(this.#byName, selector.name);
      case 'scope': {
        const { team, surface, environment } = selector;
        const shape = [team !== '*', surface !== '*', environment !== '*'] as const;
        this.#scopeShapes.set(shape.join(), shape);
        return listAt(this.#byScope, scopeKey(team, surface, environment));
      }
    }
  }
}

export function selectorsOf(document: PolicyDocument): ReadonlyMap<string, readonly Selector[]> {
  const parse = (text: string) => {
    const selector = parseSelector(text);
    if (selector === undefined)
      throw new Error(`${text} is not a selector: the policy was used without being checked.`);
    return selector;
  };
  return new Map(Object.entries(document.groups).map(([name, selectors]) => [name, selectors.map(parse)]));
}

/** For each group, those of the names that have it inside, however deep, and itself. A checked document has no circle. */
function reachOf(
  groups: ReadonlyMap<string, readonly Selector[]>,
  names: readonly string[],
): ReadonlyMap<string, Bits> {
  const holders = new Map<string, string[]>();
  for (const [name, selectors] of groups) {
    for (const selector of selectors) if (selector.kind === 'group') listAt(holders, selector.name).push(name);
  }
  const places = new Map(names.map((name, place) => [name, place]));
  const reach = new Map<string, Bits>();
  const follow = (name: string): Bits => {
    let bits = reach.get(name);
    if (bits !== undefined) return bits;
    bits = new Uint32Array(Math.ceil(names.length / 32));
    reach.set(name, bits);
    const place = places.get(name);
    if (place !== undefined) bits[place >>> 5] = 1 << (place & 31);
    for (const holder of holders.get(name) ?? []) addAll(bits, follow(holder));
    return bits;
  };
  for (const name of groups.keys()) follow(name);
  return reach;
}

function addAll(bits: Bits, more: Bits): void {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] ?? 0) | (more[word] ?? 0);
}

function scopeKey(team: string, surface: string, environment: string): string {
  return `${team}/${surface}/${environment}`;
}

function listAt<Element>(map: Map<string, Element[]>, key: string): Element[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}
