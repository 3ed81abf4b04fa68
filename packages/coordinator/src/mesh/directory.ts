import type { NodeId } from '@meshwork/contract';
import { IdIndex } from './id-index.ts';
import type { Model } from './model.ts';

/** Finds nodes by what people ask for: an address, a service, a network. Each costs what it finds. */
export class Directory {
  readonly #model: Model;
  readonly #byAddress6: IdIndex;
  readonly #byService: IdIndex;
  readonly #byOffer: IdIndex;

  constructor(model: Model) {
    this.#model = model;
    const present = (id: string) => {
      const node = model.get('node', id)?.body;
      return node === undefined || node.removed_at !== null ? undefined : node;
    };
    const reported = (id: string) => (present(id) === undefined ? undefined : model.get('report', id)?.body);
    this.#byAddress6 = new IdIndex(model, ['node'], (id) => {
      const node = present(id);
      return node === undefined ? [] : [node.address6];
    });
    this.#byService = new IdIndex(
      model,
      ['node', 'report'],
      (id) => reported(id)?.services.map(({ name }) => name) ?? [],
    );
    this.#byOffer = new IdIndex(model, ['node', 'report'], (id) => reported(id)?.routes_offered ?? []);
  }

  /** In canonical form, without a prefix. */
  nodeAt(address: string): NodeId | undefined {
    const held = this.#model.get('claim', `address/${address}`)?.body.holder;
    const [found] = held === undefined ? this.#byAddress6.of(address) : [held];
    return found as NodeId | undefined;
  }

  nodesOffering(service: string): readonly NodeId[] {
    return [...this.#byService.of(service)] as NodeId[];
  }

  services(): Iterable<string> {
    return this.#byService.keys();
  }

  /** Networks that some node offers to forward to, with who does. */
  *offeredNetworks(): Generator<readonly [cidr: string, nodes: readonly NodeId[]]> {
    for (const cidr of this.#byOffer.keys()) yield [cidr, [...this.#byOffer.of(cidr)] as NodeId[]];
  }
}
