/** Which gateways serve which ingress: `choose-gateways.ts` says whom, `place-ingress.ts` writes it down, and here is what has to be looked at. */
import type { IngressId, NodeId } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import type { IngressDocument } from '../../kinds/ingress.ts';
import type { NodeDocument } from '../../kinds/nodes.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { changesRoles } from '../../mesh/roles-of.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import { ownPort } from '../../mesh/whole-ingress.ts';
import type { ConnectionCounts } from '../../node-status/what-nodes-report.ts';
import { type IngressIndexes, selectorsOf } from './ingress-indexes.ts';
import { Placing, placeIngress } from './place-ingress.ts';

/** What one transaction looks at, at most: other changes wait for it, and an ingress may have many candidates. */
const AT_ONCE = 10;

interface Sources {
  readonly counts: ConnectionCounts;
  readonly indexes: IngressIndexes;
}

/** Keeps the gateways of ingresses in line. */
export class PlaceIngresses implements Duty {
  readonly name = 'ingress.place';
  readonly #mesh: Mesh;
  readonly #counts: ConnectionCounts;
  readonly #indexes: IngressIndexes;
  /** Ingresses whose gateways are in question. */
  readonly #ingresses = new Set<string>();
  #ask: () => void = () => undefined;

  readonly on: Notes = {
    node: ({ id, after }) => this.#touch(id, after?.body),
    liveness: ({ id, before, after }) => {
      if ((before === undefined) !== (after === undefined)) this.#touch(id, this.#node(id));
    },
    report: ({ id, before, after }) => {
      if (changesRoles(before?.body, after?.body)) this.#touch(id, this.#node(id));
    },
    ingress: ({ id, before, after }) => {
      this.#ingresses.add(id);
      if (before !== undefined && ownPort(before.body) !== (after && ownPort(after.body))) this.#freed(before.body);
    },
    placement: ({ id, before, after }) => {
      const still = new Set(after?.body.gateways.map(({ node }) => node));
      const hasLeft = before?.body.gateways.some(({ node }) => !still.has(node)) === true;
      if (hasLeft) this.#freed(this.#mesh.model.get('ingress', id)?.body);
    },
  };

  constructor(mesh: Mesh, { counts, indexes }: Sources) {
    this.#mesh = mesh;
    this.#counts = counts;
    this.#indexes = indexes;
  }

  get pending(): boolean {
    return this.#ingresses.size > 0;
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  begin(): void {
    const { model } = this.#mesh;
    for (const kind of ['ingress', 'placement'] as const) {
      for (const { id } of model.all(kind)) this.#ingresses.add(id);
    }
  }

  end(): void {
    this.#ingresses.clear();
  }

  /** A node sent a heartbeat, in which its connections may have ended. Cheap when it has nothing to give up. */
  onHeartbeat(node: NodeId): void {
    for (const ingress of this.#indexes.leaving.of(node)) {
      if (this.#counts.isDrained(node, ingress as IngressId)) this.#ingresses.add(ingress);
    }
    if (this.pending) this.#ask();
  }

  async run(): Promise<void> {
    await workOnSome(this.#ingresses, AT_ONCE, (ingresses) =>
      this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        const placing = new Placing(tx, this.#indexes, this.#counts);
        for (const ingress of ingresses) placeIngress(placing, ingress);
        placing.record();
      }),
    );
  }

  /** A port of it may be free on a gateway: those that wait for it are looked at again. */
  #freed(ingress: IngressDocument | undefined): void {
    const port = ingress === undefined ? null : ownPort(ingress);
    if (port === null) return;
    for (const waiting of this.#indexes.short_of_port.of(port)) this.#ingresses.add(waiting);
  }

  #node(id: string): NodeDocument | undefined {
    return this.#mesh.model.get('node', id)?.body;
  }

  /** Those that it serves, and those that lack a gateway and would have it. */
  #touch(id: string, node: NodeDocument | undefined): void {
    for (const ingress of this.#indexes.placed.of(id)) this.#ingresses.add(ingress);
    if (node === undefined) return;
    for (const selector of selectorsOf(node)) {
      for (const ingress of this.#indexes.short.of(selector)) this.#ingresses.add(ingress);
    }
  }
}
