import type { CertificateId, NodeId } from '@meshwork/contract';
import type { RequestRead, RequestResult } from '@meshwork/pki';
import { newSerial } from '@meshwork/pki/serial';
import type { Duty, Notes } from '../../duties/duty.ts';
import { earliest } from '../../duties/earliest.ts';
import { issuerOf, signingAuthority } from '../../issuing/authorities.ts';
import { keepCertificate, type Signed } from '../../issuing/keep-certificate.ts';
import { datesOf, lifeFrom } from '../../issuing/lifetimes.ts';
import { listUrlOf } from '../../issuing/list-url.ts';
import { PROFILES } from '../../issuing/profiles.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import type { PlacementDocument } from '../../kinds/ingress.ts';
import { COORDINATOR, refOf } from '../../mesh/actor.ts';
import type { IdIndex } from '../../mesh/id-index.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import { revokeCertificate } from '../../mesh/node-certificates.ts';
import { aboutNode } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { isDueBy, leftOver, type NextRenewal, nextRenewalOf, type Wish, wishOf } from './gateway-wishes.ts';

/** Gateways that are looked at together, and certificates in one job of the signing thread and in one transaction. */
const AT_ONCE = 20;
const SIGNED_AT_ONCE = 50;

interface SignedWish {
  readonly wish: Wish;
  readonly signed: Omit<Signed, 'profile' | 'nodes' | 'of_ingresses' | 'requested_by'>;
}

/** Keeps gateways in certificates for the ingresses that are placed on them, and revokes what they must not have any more. */
export class IssueGatewayCertificates implements Duty {
  readonly name = 'ca.issue_gateways';
  readonly on: Notes = {
    gateway_certificate: ({ id }) => this.#note(id),
    node: ({ id }) => this.#note(id),
    placement: ({ before, after }) => {
      this.#noteAll(before?.body);
      this.#noteAll(after?.body);
    },
    ingress: ({ id }) => this.#noteAll(this.#mesh.model.get('placement', id)?.body),
    authority: () => this.begin(),
  };
  readonly #mesh: Mesh;
  readonly #signing: Signing;
  readonly #served: IdIndex;
  readonly #due = new Set<string>();
  /** When the next certificate of a gateway has to be renewed. */
  readonly #next = new Map<string, NextRenewal>();

  /** `served`: ingresses by the gateways that they are placed on. */
  constructor(mesh: Mesh, signing: Signing, served: IdIndex) {
    this.#mesh = mesh;
    this.#signing = signing;
    this.#served = served;
  }

  get pending(): boolean {
    return this.#due.size > 0;
  }

  get next_at(): number | undefined {
    const now_ms = this.#mesh.clock.now();
    return earliest([...this.#next.values()].map((next) => (isDueBy(next, now_ms) ? now_ms : next.at_ms)));
  }

  begin(): void {
    for (const { id } of this.#mesh.model.all('gateway_certificate')) this.#note(id);
  }

  end(): void {
    this.#due.clear();
    this.#next.clear();
  }

  async run(): Promise<void> {
    const now_ms = this.#mesh.clock.now();
    for (const [id, next] of this.#next) if (isDueBy(next, now_ms)) this.#due.add(id);
    await workOnSome(this.#due, AT_ONCE, async (ids) => {
      await this.#serve(ids as readonly NodeId[], now_ms);
      for (const id of ids) this.#schedule(id as NodeId);
    });
  }

  /** A node that never asked for a certificate has none to lose. */
  #note(id: string): void {
    if (this.#mesh.model.get('gateway_certificate', id) !== undefined) this.#due.add(id);
    else this.#schedule(id as NodeId);
  }

  #noteAll(placement: PlacementDocument | undefined): void {
    for (const { node } of placement?.gateways ?? []) this.#note(node);
  }

  #schedule(id: NodeId): void {
    const next = nextRenewalOf(this.#mesh.model, id, this.#mesh.clock.now());
    if (next === undefined) this.#next.delete(id);
    else this.#next.set(id, next);
  }

  async #serve(gateways: readonly NodeId[], now_ms: number): Promise<void> {
    const { model } = this.#mesh;
    const issuer = signingAuthority(model); // without one they are noted again when there is
    const wishes = issuer === undefined ? [] : gateways.flatMap((id) => this.#wishes(issuer, id, now_ms));
    for (const { gateway } of wishes.slice(SIGNED_AT_ONCE)) this.#due.add(gateway);
    const { signed, refused } =
      issuer === undefined ? { signed: [], refused: [] } : await this.#sign(issuer, wishes.slice(0, SIGNED_AT_ONCE));
    const leaving = gateways.filter((id) => leftOver(model, id, now_ms).length > 0);
    if (signed.length + refused.length + leaving.length === 0) return;
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      const revoked = leaving.flatMap((id) => revokeLeftOver(tx, id));
      for (const { wish, reason } of refused) keepRefused(tx, wish, reason);
      const kept = signed.flatMap((one) => keepSigned(tx, one));
      if (kept.length + revoked.length === 0) return;
      const parts = [
        kept.length > 0 ? `issued ${kept.join(', ')}` : [],
        revoked.length > 0 ? `revoked ${revoked.join(', ')}` : [],
      ];
      const target = issuer === undefined ? null : ({ kind: 'authority', id: issuer.id } as const);
      tx.record({ target, detail: parts.flat().join('; '), count: kept.length + revoked.length });
    });
  }

  #wishes(issuer: Stored<'authority'>, gateway: NodeId, now_ms: number): readonly Wish[] {
    const ingresses = [...this.#served.of(gateway)].sort();
    return ingresses.flatMap((ingress) => wishOf(this.#mesh.model, issuer, { gateway, ingress, now_ms }) ?? []);
  }

  async #sign(
    issuer: Stored<'authority'>,
    wishes: readonly Wish[],
  ): Promise<{ signed: readonly SignedWish[]; refused: readonly { wish: Wish; reason: string }[] }> {
    const { model } = this.#mesh;
    const requests = [...new Set(wishes.map(({ request }) => request))];
    const results = requests.length === 0 ? [] : await this.#signing.run('read', requests);
    const judged = new Map(requests.map((request, index) => [request, judge(results[index])]));
    const refused: { wish: Wish; reason: string }[] = [];
    const sound: { wish: Wish; read: RequestRead; serial: string }[] = [];
    for (const wish of wishes) {
      const found = judged.get(wish.request);
      if (found === undefined) throw new Error('The signing thread left one out.');
      if ('reason' in found) refused.push({ wish, reason: found.reason });
      else sound.push({ wish, read: found, serial: newSerial() });
    }
    if (sound.length === 0) return { signed: [], refused };
    const life = lifeFrom(this.#mesh.clock.now(), settingsOf(model).ca.node_lifetime_s, issuer.body);
    const { usages } = PROFILES.ingress;
    const ders = await this.#signing.run('issue', {
      issuer: issuerOf(this.#mesh, issuer),
      wanted: sound.map(({ wish, read, serial }) => ({
        public_key: read.public_key,
        names: namesOf(wish),
        usages,
        serial,
        ...datesOf(life),
        ...listUrlOf(model, issuer.body),
      })),
    });
    const signed = sound.map(({ wish, read: { key_type }, serial }, index) => {
      const der = ders[index];
      if (der === undefined) throw new Error('The signing thread left one out.');
      return { wish, signed: { issuer, names: namesOf(wish), key_type, serial, ...life, der } };
    });
    return { signed, refused };
  }
}

function namesOf({ hostname }: Wish) {
  return { dns: [hostname], addresses: [], uris: [] };
}

/** The request of a gateway names nothing: one key is for all that is placed on it. */
function judge(read: RequestResult | undefined): RequestRead | { readonly reason: string } {
  if (read === undefined) throw new Error('The signing thread left one out.');
  if ('faults' in read) return { reason: `The request ${read.faults.join('; ')}.` };
  const { key_types } = PROFILES.ingress;
  if (!key_types.includes(read.key_type)) {
    return { reason: `The request has a key of type ${read.key_type}; a gateway has ${key_types.join(', ')}.` };
  }
  const [name] = [read.common_name ?? [], read.names.dns, read.names.addresses, read.names.uris].flat();
  if (name === undefined) return read;
  return { reason: `The request asks for ${JSON.stringify(name)}. That of a gateway names nothing.` };
}

/** What was written down, in words. Empty: the gateway has it already, or must not have it any more. */
function keepSigned(tx: Transaction, { wish, signed }: SignedWish): readonly string[] {
  const { gateway, ingress, request, scope } = wish;
  const now = wishOf(tx, signed.issuer, { gateway, ingress, now_ms: tx.now_ms });
  const node = tx.get('node', gateway);
  if (now?.request !== request || now.hostname !== wish.hostname || node === undefined) return [];
  const { id } = keepCertificate(tx, {
    ...signed,
    profile: 'ingress',
    nodes: [gateway],
    of_ingresses: { ids: [ingress], scope },
    requested_by: { kind: 'node', id: gateway, name: node.body.name },
  });
  const own = tx.get('gateway_certificate', gateway)?.body;
  if (own === undefined) throw new Error(`${gateway} wishes for a certificate without having asked.`);
  const current = { ...own.current, [ingress]: id as CertificateId };
  const { [ingress]: _, ...before } = own.before;
  tx.put('gateway_certificate', gateway, { ...own, current, before });
  return [`${wish.hostname} on ${node.body.name}`];
}

function keepRefused(tx: Transaction, { gateway, request }: Wish, reason: string): void {
  const own = tx.get('gateway_certificate', gateway)?.body;
  const node = tx.get('node', gateway);
  if (own?.request !== request || own.refused !== null || node === undefined) return;
  tx.put('gateway_certificate', gateway, { ...own, refused: reason });
  tx.emit({ ...aboutNode(node), type: 'certificate.refused', data: { name: node.body.name, reason } });
}

function revokeLeftOver(tx: Transaction, gateway: NodeId): readonly string[] {
  const name = tx.get('node', gateway)?.body.name ?? gateway;
  return leftOver(tx, gateway, tx.now_ms)
    .filter((certificate) => revokeCertificate(tx, certificate, 'cessation_of_operation', refOf(COORDINATOR)))
    .map(({ body }) => `${body.names.dns[0] ?? body.serial} on ${name}`);
}
