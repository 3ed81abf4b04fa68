import { isDeepStrictEqual } from 'node:util';
import type { IngressId, NodeId } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import type { ProvenDocument } from '../../kinds/ingress.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import { ingressAt } from '../../mesh/ingress-certificates.ts';
import { frontOf, takesClients } from '../../mesh/ingress-front.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import type { GatewayProofs, GatewayState } from '../../node-status/gateway-proof.ts';

/** Ingresses in one transaction. */
const AT_ONCE = 100;

type Proofs = Pick<GatewayProofs, 'problem' | 'goesOn' | 'stateOf'>;

interface Sources {
  readonly proofs: Proofs;
  /** Ingresses by gateway. */
  readonly placed: IdIndex;
}

/**
 * Writes down which gateways have proven to serve which ingress, so that all coordinators send nodes the same names. Only the one
 * that leads does: two that have heard different gateways would contradict each other.
 */
export class ProveGateways implements Duty {
  readonly name = 'ingress.prove';
  /** A heartbeat may have come to another coordinator, which passes it on within moments. */
  readonly every_s = 1;
  readonly #mesh: Mesh;
  readonly #sources: Sources;
  /** Ingresses whose gateways are in question. */
  readonly #ingresses = new Set<string>();
  /** Of each gateway, when it was last looked at. */
  readonly #states = new Map<string, GatewayState>();
  #leads = false;
  #ask: () => void = () => undefined;

  readonly on: Notes = {
    ingress: ({ id }) => void this.#ingresses.add(id),
    placement: ({ id }) => void this.#ingresses.add(id),
    node: ({ id }) => this.#note(id),
    liveness: ({ id }) => this.#note(id),
    report: ({ id }) => this.#note(id),
    gateway_certificate: ({ id }) => this.#note(id),
    relay: ({ before, after }) => {
      for (const host of [before, after].flatMap((relay) => relay?.body.host ?? [])) {
        const labels = host.toLowerCase().split('.');
        for (const from of labels.keys()) {
          const ingress = ingressAt(this.#mesh.model, labels.slice(from).join('.'));
          if (ingress !== undefined) this.#ingresses.add(ingress.id);
        }
      }
    },
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
    this.#leads = true;
    const { model } = this.#mesh;
    for (const kind of ['placement', 'proven'] as const) for (const { id } of model.all(kind)) this.#ingresses.add(id);
  }

  end(): void {
    this.#leads = false;
    this.#ingresses.clear();
    this.#states.clear();
  }

  /** A node sent a heartbeat, in which it may have said what it serves. Cheap for all that are no gateways. */
  onHeartbeat(node: NodeId): void {
    if (this.#leads && this.#sources.placed.of(node).size > 0 && this.#hasNews(node)) this.#ask();
  }

  async run(): Promise<void> {
    for (const gateway of this.#sources.placed.keys()) this.#hasNews(gateway);
    for (const gateway of this.#states.keys()) {
      if (this.#sources.placed.of(gateway).size === 0) this.#states.delete(gateway);
    }
    await workOnSome(this.#ingresses, AT_ONCE, (ingresses) =>
      this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        for (const id of ingresses) {
          const proven = provenOf(tx, this.#sources.proofs, id);
          if (isDeepStrictEqual(proven, tx.get('proven', id)?.body)) continue;
          if (proven === undefined) tx.delete('proven', id);
          else tx.put('proven', id, proven);
        }
      }),
    );
  }

  /** Notes its ingresses, if what it proves of them may be different. */
  #hasNews(gateway: string): boolean {
    if (this.#mesh.model.get('node', gateway) === undefined) return false; // its placements follow
    const state = this.#sources.proofs.stateOf(gateway as NodeId);
    const before = this.#states.get(gateway);
    if (before?.every((part, index) => part === state[index]) === true) return false;
    this.#states.set(gateway, state);
    this.#note(gateway);
    return true;
  }

  #note(gateway: string): void {
    for (const ingress of this.#sources.placed.of(gateway)) this.#ingresses.add(ingress);
  }
}

/** Undefined: no gateway has proven it. */
function provenOf(view: View, proofs: Proofs, id: string): ProvenDocument | undefined {
  const ingress = view.get('ingress', id)?.body;
  if (ingress === undefined || ingress.draining) return undefined;
  const front = frontOf(ingress);
  // A node must not be led into the mesh for the host of a relay, or ask in the mesh for it: it may need the relay to get there.
  const isAbove = (host: string) => `.${host.toLowerCase()}`.endsWith(`.${front.hostname}`);
  for (const { body } of view.all('relay')) if (isAbove(body.host)) return undefined;
  const { gateways: known = [], ...before } = view.get('proven', id)?.body ?? {};
  // What was proven of another host name or port says nothing of this one.
  const proven = isDeepStrictEqual(before, front) ? known : [];
  const serves = (node: NodeId) =>
    takesClients(view, node, front) &&
    (proofs.problem(view, node, id as IngressId) === null ||
      (proven.includes(node) && proofs.goesOn(view, node, id as IngressId)));
  const gateways = (view.get('placement', id)?.body.gateways ?? [])
    .flatMap(({ node, draining }) => (!draining && serves(node) ? [node] : []))
    .sort();
  return gateways.length === 0 ? undefined : { ...front, gateways };
}
