import type { PolicyDocument } from '../document/document.ts';
import { parseSelector, type Selector } from '../document/selector.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { Plan } from './plan.ts';
import type { SourceSide, TargetSide } from './sides.ts';

/** The sides that whoever matches a selector stands on, as far as groups decide. */
interface Standing {
  readonly sources: Set<SourceSide>;
  readonly targets: Set<TargetSide>;
}

/** From what can be said of a node to the sides that its groups put it on, with nested groups followed once and for all. */
export class SideIndex {
  readonly #everybody: Standing = nowhere();
  /** Networks that whoever forwards to them may be asked for. */
  readonly #anyProvider: Standing = nowhere();
  readonly #byTag = new Map<string, Standing>();
  readonly #byName = new Map<string, Standing>();
  readonly #byScope = new Map<string, Standing>();
  /** Which parts of a scope are spelled out by some selector: a node is looked up once for each. */
  readonly #scopeShapes = new Map<string, readonly [team: boolean, surface: boolean, environment: boolean]>();

  constructor(plan: Plan) {
    const sidesOf = sidesByGroup(plan, this.#anyProvider);
    const groups = selectorsOf(plan.document);
    const leadsTo = leadsToGroups(groups);
    for (const [group, selectors] of groups) {
      const reached = [...(leadsTo.get(group) ?? [])].flatMap((name) => sidesOf.get(name) ?? []);
      if (reached.length === 0) continue;
      for (const selector of selectors) if (selector.kind !== 'group') extend(this.#standingFor(selector), reached);
    }
  }

  /** All that apply; a side may be in more than one of them. */
  standingsOf(node: PolicyNode): readonly Standing[] {
    const standings = [this.#everybody];
    const add = (standing: Standing | undefined) => {
      if (standing !== undefined) standings.push(standing);
    };
    if (node.provides.length > 0) add(this.#anyProvider);
    add(this.#byName.get(node.name));
    for (const tag of node.tags) add(this.#byTag.get(tag));
    const { team, surface, environment } = node.boundary;
    for (const [byTeam, bySurface, byEnvironment] of this.#scopeShapes.values()) {
      // A part that the node does not have reads `*` too, and so is found only where the selector does not care.
      add(
        this.#byScope.get(scopeKey(byTeam ? team : '*', bySurface ? surface : '*', byEnvironment ? environment : '*')),
      );
    }
    return standings;
  }

  #standingFor(selector: Exclude<Selector, { kind: 'group' }>): Standing {
    switch (selector.kind) {
      case 'all':
        return this.#everybody;
      case 'tag':
        return standingAt(this.#byTag, selector.tag);
      case 'node':
        return standingAt(this.#byName, selector.name);
      case 'scope': {
        const { team, surface, environment } = selector;
        const shape = [team !== '*', surface !== '*', environment !== '*'] as const;
        this.#scopeShapes.set(shape.join(), shape);
        return standingAt(this.#byScope, scopeKey(team, surface, environment));
      }
    }
  }
}

function nowhere(): Standing {
  return { sources: new Set(), targets: new Set() };
}

function scopeKey(team: string, surface: string, environment: string): string {
  return `${team}/${surface}/${environment}`;
}

function standingAt(map: Map<string, Standing>, key: string): Standing {
  let standing = map.get(key);
  if (standing === undefined) {
    standing = nowhere();
    map.set(key, standing);
  }
  return standing;
}

function extend(standing: Standing, reached: readonly Standing[]): void {
  for (const { sources, targets } of reached) {
    for (const side of sources) standing.sources.add(side);
    for (const side of targets) standing.targets.add(side);
  }
}

function sidesByGroup(plan: Plan, anyProvider: Standing): ReadonlyMap<string, Standing> {
  const sides = new Map<string, Standing>();
  for (const side of plan.sources) standingAt(sides, side.group).sources.add(side);
  for (const side of plan.targets) {
    const standing = side.group === undefined ? anyProvider : standingAt(sides, side.group);
    standing.targets.add(side);
  }
  return sides;
}

function selectorsOf(document: PolicyDocument): ReadonlyMap<string, readonly Selector[]> {
  const parse = (text: string) => {
    const selector = parseSelector(text);
    if (selector === undefined)
      throw new Error(`${text} selects nobody: the policy was compiled without being checked.`);
    return selector;
  };
  return new Map(Object.entries(document.groups).map(([name, selectors]) => [name, selectors.map(parse)]));
}

/** For each group, itself and all groups that have it inside, however deep. A checked document has no circle. */
function leadsToGroups(groups: ReadonlyMap<string, readonly Selector[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const outer = new Map<string, string[]>();
  for (const [name, selectors] of groups) {
    for (const selector of selectors) {
      if (selector.kind !== 'group') continue;
      const holders = outer.get(selector.name);
      if (holders === undefined) outer.set(selector.name, [name]);
      else holders.push(name);
    }
  }
  const climb = (name: string, reached: Set<string>) => {
    if (reached.has(name)) return reached;
    reached.add(name);
    for (const holder of outer.get(name) ?? []) climb(holder, reached);
    return reached;
  };
  return new Map([...groups.keys()].map((name) => [name, climb(name, new Set())]));
}
