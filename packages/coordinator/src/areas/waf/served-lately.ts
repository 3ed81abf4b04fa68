import type { Scope } from '@meshwork/contract';
import type { Kind } from '../../kinds/kinds.ts';
import type { Changed, Model, ModelWatch } from '../../mesh/model.ts';
import { policiesNamedBy } from '../../mesh/waf-policies.ts';

/** Ours: how long events may come of what a gateway served: it sends them with its next heartbeats. */
const LATE_MS = 3_600_000;
/** Ours: what is past is swept when it is of more ingresses. */
const SWEPT_ABOVE = 10_000;

interface Served {
  readonly nodes: readonly string[];
  readonly policies: readonly string[];
  readonly scope: Scope;
}

interface Past extends Served {
  readonly until_ms: number;
}

/**
 * What gateways serve, and served until lately. A node is believed about nothing else, for it could write into another boundary. The
 * past is in memory: after a restart, events of what was taken from a gateway just before are not believed.
 */
export class ServedLately implements ModelWatch {
  readonly #model: Model;
  readonly #now: () => number;
  /** By ingress. */
  readonly #present = new Map<string, Served>();
  readonly #past = new Map<string, readonly Past[]>();

  constructor(model: Model, now: () => number) {
    this.#model = model;
    this.#now = now;
    this.reset();
    model.watch(this);
  }

  /** The scope of the ingress, if the node serves it with the policy or did lately. */
  scopeFor(node: string, ingress: string, policy: string): Scope | undefined {
    const isIt = ({ nodes, policies }: Served) => nodes.includes(node) && policies.includes(policy);
    const present = this.#present.get(ingress);
    if (present !== undefined && isIt(present)) return present.scope;
    return this.#lately(ingress).find(isIt)?.scope;
  }

  changed<K extends Kind>({ kind, id }: Changed<K>): void {
    if (kind === 'ingress' || kind === 'placement') this.#follow(id);
  }

  reset(): void {
    const ids = [...this.#present.keys(), ...Array.from(this.#model.all('placement'), ({ id }) => id)];
    for (const id of new Set(ids)) this.#follow(id);
  }

  #follow(ingress: string): void {
    const before = this.#present.get(ingress);
    const after = this.#served(ingress);
    if (after === undefined) this.#present.delete(ingress);
    else this.#present.set(ingress, after);
    if (before === undefined || isSame(before, after)) return;
    if (this.#past.size > SWEPT_ABOVE) this.#sweep();
    const others = this.#lately(ingress).filter((past) => !isSame(past, before));
    this.#past.set(ingress, [...others, { ...before, until_ms: this.#now() + LATE_MS }]);
  }

  /** Undefined: no gateway serves it with a policy. */
  #served(ingress: string): Served | undefined {
    const body = this.#model.get('ingress', ingress)?.body;
    const gateways = this.#model.get('placement', ingress)?.body.gateways ?? [];
    if (body === undefined || gateways.length === 0) return undefined;
    const policies = policiesNamedBy(body);
    if (policies.length === 0) return undefined;
    return { nodes: gateways.map(({ node }) => node).sort(), policies, scope: body.scope };
  }

  #lately(ingress: string): readonly Past[] {
    const now = this.#now();
    return (this.#past.get(ingress) ?? []).filter(({ until_ms }) => until_ms > now);
  }

  #sweep(): void {
    for (const ingress of this.#past.keys()) if (this.#lately(ingress).length === 0) this.#past.delete(ingress);
  }
}

function isSame(a: Served, b: Served | undefined): boolean {
  return b !== undefined && a.nodes.join() === b.nodes.join() && a.policies.join() === b.policies.join();
}
