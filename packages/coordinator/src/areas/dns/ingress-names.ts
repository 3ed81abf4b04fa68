import type { DnsSection, NodeId } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { mayReach } from '../../views/may-reach.ts';
import { type Cohort, type Reach, termsBetween } from '../../views/reach.ts';

export type Names = NonNullable<DnsSection['ingresses']>;

const NONE: Names = [];

/**
 * Host names of ingresses, as each node may resolve them: those with a gateway that it may reach, and no other. Nodes that may do
 * the same with all of the gateways get the same list, however many they are, and those of one cohort are looked at once: so a
 * change costs cohorts × gateways and a walk over the ingresses for each list, and never nodes × ingresses.
 */
export class IngressNames {
  readonly #view: View;
  readonly #reach: Reach;
  #gateways: ReadonlySet<NodeId> | undefined;
  /** What holds between two cohorts never changes. */
  #byCohort = new WeakMap<Cohort, Names>();
  /** By what is allowed with each of the gateways. */
  #byTerms = new Map<string, Names>();
  /** Equal terms are one object. */
  readonly #numbers = new WeakMap<readonly string[], number>();
  #numbered = 0;

  constructor(view: View, reach: Reach) {
    this.#view = view;
    this.#reach = reach;
  }

  /** Another gateway has proven something, or is another, or others may reach it. */
  forget(): void {
    this.#gateways = undefined;
    this.#byCohort = new WeakMap();
    this.#byTerms = new Map();
  }

  of(node: NodeId): Names {
    this.#gateways ??= new Set([...this.#view.all('proven')].flatMap(({ body }) => body.gateways).sort());
    const cohort = this.#gateways.size === 0 ? undefined : this.#reach.cohortOf(node);
    if (cohort === undefined) return NONE;
    if (this.#gateways.has(node)) return this.#byTermsOf(node, this.#gateways); // it reaches itself, unlike the others of its cohort
    let names = this.#byCohort.get(cohort);
    if (names === undefined) {
      names = this.#byTermsOf(node, this.#gateways);
      this.#byCohort.set(cohort, names);
    }
    return names;
  }

  #byTermsOf(node: NodeId, gateways: ReadonlySet<NodeId>): Names {
    const key = Array.from(gateways, (gateway) => (gateway === node ? 'self' : this.#number(node, gateway))).join();
    let names = this.#byTerms.get(key);
    if (names === undefined) {
      names = this.#namesFor(node);
      this.#byTerms.set(key, names);
    }
    return names;
  }

  /** 0: nothing is allowed. */
  #number(node: NodeId, gateway: NodeId): number {
    const allow = termsBetween(this.#reach, gateway, node)?.allow;
    if (allow === undefined) return 0;
    const known = this.#numbers.get(allow);
    if (known !== undefined) return known;
    this.#numbered += 1;
    this.#numbers.set(allow, this.#numbered);
    return this.#numbered;
  }

  #namesFor(node: NodeId): Names {
    const names = [...this.#view.all('proven')].flatMap(({ body: { hostname, gateways, ...on } }) => {
      const addresses = gateways
        .filter((gateway) => mayReach(this.#reach, node, gateway, on))
        .flatMap((gateway) => this.#addressesOf(gateway));
      return addresses.length === 0 ? [] : [{ hostname, addresses }];
    });
    return names.length === 0 ? NONE : names.sort((a, b) => (a.hostname < b.hostname ? -1 : 1));
  }

  #addressesOf(gateway: NodeId): readonly string[] {
    const node = this.#view.get('node', gateway)?.body;
    return node === undefined ? [] : [node.address, node.address6];
  }
}
