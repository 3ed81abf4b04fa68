import { type IngressId, type NodeId, utc } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';

/** Ingresses in one transaction: each has an entry of its own in the trail. */
const AT_ONCE = 1;

interface Sources {
  readonly proofs: Pick<GatewayProofs, 'isDrained' | 'isInEffect' | 'ended'>;
  /** Ingresses by gateways that take no new connections for them. */
  readonly leaving: IdIndex;
}

/** Writes down when an ingress that drains has no connection left on any gateway, and how many were ended for that. */
export class ProveDrains implements Duty {
  readonly name = 'ingress.drained';
  readonly #mesh: Mesh;
  readonly #sources: Sources;
  readonly #ingresses = new Set<string>();
  #ask: () => void = () => undefined;

  readonly on: Notes = {
    ingress: ({ id }) => this.#note(id),
    placement: ({ id }) => this.#note(id),
  };

  constructor(mesh: Mesh, sources: Sources) {
    this.#mesh = mesh;
    this.#sources = sources;
  }

  get pending(): boolean {
    return this.#ingresses.size > 0;
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  begin(): void {
    for (const { id } of this.#mesh.model.all('ingress')) this.#note(id);
  }

  end(): void {
    this.#ingresses.clear();
  }

  /** Cheap for all that have nothing to give up. */
  onHeartbeat(node: NodeId): void {
    for (const ingress of this.#sources.leaving.of(node)) this.#note(ingress);
    if (this.pending) this.#ask();
  }

  async run(): Promise<void> {
    await workOnSome(this.#ingresses, AT_ONCE, (ingresses) =>
      this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        for (const id of ingresses) this.#prove(tx, id);
      }),
    );
  }

  #note(id: string): void {
    const ingress = this.#mesh.model.get('ingress', id)?.body;
    if (ingress?.draining === true && ingress.drain != null && ingress.drain.drained_at === null) {
      this.#ingresses.add(id);
    }
  }

  /** Without a gateway there is nothing that proves it. */
  #prove(tx: Transaction, id: string): void {
    const ingress = tx.get('ingress', id)?.body;
    const gateways = tx.get('placement', id)?.body.gateways ?? [];
    if (ingress?.draining !== true || ingress.drain == null || ingress.drain.drained_at !== null) return;
    const { proofs } = this.#sources;
    const isDone = (node: NodeId) => proofs.isInEffect(tx, node) && proofs.isDrained(node, id as IngressId);
    if (gateways.length === 0 || !gateways.every(({ node, draining }) => draining && isDone(node))) return;
    const cut = gateways.reduce((sum, { node }) => sum + proofs.ended(node, id as IngressId).cut, 0);
    const { name, scope, drain } = ingress;
    tx.put('ingress', id, { ...ingress, drain: { ...drain, drained_at: utc(tx.now_ms), cut } });
    tx.record({ target: { kind: 'ingress', id }, scope });
    tx.emit({ type: 'ingress.drained', subject: { kind: 'ingress', id }, scope, data: { name, cut } });
  }
}
