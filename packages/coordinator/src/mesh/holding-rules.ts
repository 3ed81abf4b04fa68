import { covers, type Scope } from '@meshwork/contract';
import { type FirewallRule, parseSelector } from '@meshwork/policy';
import type { NodeDocument } from '../kinds/nodes.ts';
import { boundaryOfNode } from './node-state.ts';

type Places = readonly number[];

/**
 * Which rules hold for which node, for questions about all nodes at once. It says what `rulesFor` says (a test holds it
 * to that), but reads each selector once, and gives nodes with the same rules the very same list: what is concluded
 * from a list is concluded once for all of them.
 */
export class HoldingRules {
  readonly #rules: readonly FirewallRule[];
  /** Places of the rules in the list, by what selects them. */
  readonly #everywhere: number[] = [];
  readonly #byTag = new Map<string, number[]>();
  readonly #byName = new Map<string, number[]>();
  readonly #byScope = new Map<string, { readonly scope: Scope; readonly places: number[] }>();
  /** Nodes with the same tags differ at most by who names them: the boundary is made of tags. */
  readonly #ofTags = new Map<string, { readonly places: Places; readonly list: readonly FirewallRule[] }>();
  readonly #lists = new Map<string, readonly FirewallRule[]>();

  /** Checks all of them. Those that are not enabled hold for no node. */
  constructor(rules: readonly FirewallRule[]) {
    this.#rules = rules;
    for (const [place, rule] of rules.entries()) {
      if (rule.enabled) for (const text of rule.nodes) this.#index(text, place);
    }
  }

  /** In order. */
  of(node: NodeDocument): readonly FirewallRule[] {
    const shared = this.#shared(node);
    const named = this.#byName.get(node.name);
    return named === undefined ? shared.list : this.#list([...shared.places, ...named]);
  }

  #index(text: string, place: number): void {
    const selector = parseSelector(text);
    switch (selector?.kind) {
      case 'all':
        this.#everywhere.push(place);
        break;
      case 'tag':
        put(this.#byTag, selector.tag, place);
        break;
      case 'node':
        put(this.#byName, selector.name, place);
        break;
      case 'scope': {
        const known = this.#byScope.get(text);
        if (known === undefined) this.#byScope.set(text, { scope: selector, places: [place] });
        else known.places.push(place);
        break;
      }
      default:
        throw new Error(`${text} selects no nodes: a rule was not checked.`);
    }
  }

  #shared(node: NodeDocument): { readonly places: Places; readonly list: readonly FirewallRule[] } {
    const key = node.tags.join(' '); // no tag has a space
    let shared = this.#ofTags.get(key);
    if (shared === undefined) {
      const boundary = boundaryOfNode(node);
      const scopes = [...this.#byScope.values()].filter(({ scope }) => covers(scope, boundary));
      const places = [
        ...this.#everywhere,
        ...node.tags.flatMap((tag) => this.#byTag.get(tag) ?? []),
        ...scopes.flatMap((one) => one.places),
      ];
      shared = { places, list: this.#list(places) };
      this.#ofTags.set(key, shared);
    }
    return shared;
  }

  #list(places: Places): readonly FirewallRule[] {
    const sorted = [...new Set(places)].sort((a, b) => a - b);
    const key = sorted.join(' ');
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = sorted.flatMap((place) => this.#rules[place] ?? []);
      this.#lists.set(key, list);
    }
    return list;
  }
}

function put(index: Map<string, number[]>, key: string, place: number): void {
  const places = index.get(key);
  if (places === undefined) index.set(key, [place]);
  else places.push(place);
}
