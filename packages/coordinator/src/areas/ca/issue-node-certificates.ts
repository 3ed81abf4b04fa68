import { type CertificateId, MeshError, type NodeId, utc } from '@meshwork/contract';
import type { CertificateNames, RequestRead, RequestResult } from '@meshwork/pki';
import { newSerial } from '@meshwork/pki/serial';
import type { Duty, Notes } from '../../duties/duty.ts';
import { earliest } from '../../duties/earliest.ts';
import { issuerOf, signingAuthority } from '../../issuing/authorities.ts';
import { keepCertificate, type Signed } from '../../issuing/keep-certificate.ts';
import { datesOf, lifeFrom } from '../../issuing/lifetimes.ts';
import { listUrlOf } from '../../issuing/list-url.ts';
import { namesOfNode } from '../../issuing/node-names.ts';
import { PROFILES } from '../../issuing/profiles.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { certificatesOf } from '../../mesh/node-certificates.ts';
import { aboutNode, isMember } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/** Nodes in one job of the signing thread, and in one transaction. */
const AT_ONCE = 50;
/** A node that asks more often waits: each certificate is kept until it expires. */
const APART_MS = 30_000;

interface Asking {
  readonly node: Stored<'node'>;
  readonly request: string;
}

/** Signs the certificates that nodes ask for. What waits is in the journal, so that nothing is lost with the coordinator. */
export class IssueNodeCertificates implements Duty {
  readonly name = 'ca.issue_nodes';
  readonly on: Notes = {
    node_certificate: ({ id }) => this.#note(id),
    node: ({ id }) => this.#note(id),
    authority: () => this.begin(),
  };
  readonly #mesh: Mesh;
  readonly #signing: Signing;
  readonly #due = new Set<string>();
  /** Those that asked too often, and from when on they are served. */
  readonly #later = new Map<string, number>();

  constructor(mesh: Mesh, signing: Signing) {
    this.#mesh = mesh;
    this.#signing = signing;
  }

  get pending(): boolean {
    return this.#due.size > 0;
  }

  get next_at(): number | undefined {
    return earliest(this.#later.values());
  }

  begin(): void {
    for (const { id } of this.#mesh.model.all('node_certificate')) this.#note(id);
  }

  end(): void {
    this.#due.clear();
    this.#later.clear();
  }

  async run(): Promise<void> {
    const now_ms = this.#mesh.clock.now();
    for (const [id, at] of this.#later) {
      if (at > now_ms) continue;
      this.#later.delete(id);
      this.#due.add(id);
    }
    await workOnSome(this.#due, AT_ONCE, (ids) => this.#issue(ids));
  }

  #note(id: string): void {
    if (askingOf(this.#mesh.model, id) === undefined) {
      this.#due.delete(id);
      this.#later.delete(id);
      return;
    }
    const { issued_at, current } = certificatesOf(this.#mesh.model, id);
    // One whose certificate was revoked has none, and is not kept waiting.
    const at = issued_at === null || current === null ? 0 : Date.parse(issued_at) + APART_MS;
    const now_ms = this.#mesh.clock.now();
    if (at > now_ms && at <= now_ms + APART_MS) this.#later.set(id, at);
    else this.#due.add(id);
  }

  async #issue(ids: readonly string[]): Promise<void> {
    const { model } = this.#mesh;
    const issuer = signingAuthority(model);
    const asking = ids.flatMap((id) => askingOf(model, id) ?? []);
    if (issuer === undefined || asking.length === 0) return; // noted again when there is one
    const read = await this.#signing.run(
      'read',
      asking.map(({ request }) => request),
    );
    const refused: (Asking & { reason: string })[] = [];
    const wanted: (Asking & Pick<Signed, 'names' | 'key_type'> & { public_key: RequestRead['public_key'] })[] = [];
    for (const [index, one] of asking.entries()) {
      const result = judge(read[index], namesOfNode(one.node.body, issuer.body.constraints));
      if ('reason' in result) refused.push({ ...one, ...result });
      else wanted.push({ ...one, ...result });
    }
    const life = lifeFrom(this.#mesh.clock.now(), settingsOf(model).ca.node_lifetime_s, issuer.body);
    const serials = wanted.map(() => newSerial());
    const { usages } = PROFILES.node;
    const ders = await this.#signing.run('issue', {
      issuer: issuerOf(this.#mesh, issuer),
      wanted: wanted.map(({ public_key, names }, index) => ({
        public_key,
        names,
        usages,
        serial: serials[index] ?? '',
        ...datesOf(life),
        ...listUrlOf(model, issuer.body),
      })),
    });
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      for (const { node, request, reason } of refused) keepRefused(tx, node, request, reason);
      const signed = wanted.filter(({ node, request, names, key_type }, index) => {
        const der = ders[index];
        const serial = serials[index];
        if (der === undefined || serial === undefined) throw new Error('The signing thread left one out.');
        return keepSigned(tx, { node, request, signed: { issuer, names, key_type, serial, ...life, der } });
      });
      if (signed.length === 0) return;
      const detail = signed.map(({ node }) => node.body.name).join(', ');
      tx.record({ target: { kind: 'authority', id: issuer.id }, detail, count: signed.length });
    });
  }
}

/** Undefined: it asks for nothing, or may have nothing now. */
function askingOf(view: View, id: string): Asking | undefined {
  const node = view.get('node', id);
  const { request } = certificatesOf(view, id);
  return node === undefined || request === null || !isMember(node.body) ? undefined : { node, request };
}

type Judged =
  | { readonly reason: string }
  | {
      readonly names: CertificateNames;
      readonly key_type: RequestRead['key_type'];
      readonly public_key: RequestRead['public_key'];
    };

/** The request of a node may name what the node is called, and nothing else; most name nothing. */
function judge(read: RequestResult | undefined, names: CertificateNames): Judged {
  if (read === undefined) throw new MeshError('internal', 'The signing thread left one out.');
  if ('faults' in read) return { reason: `The request ${read.faults.join('; ')}.` };
  const { key_type, public_key } = read;
  if (!PROFILES.node.key_types.includes(key_type)) {
    return { reason: `The request has a key of type ${key_type}; a node has ${PROFILES.node.key_types.join(', ')}.` };
  }
  const known = new Set([...names.dns, ...names.addresses, ...names.uris]);
  const asked = [read.common_name ?? [], read.names.dns, read.names.addresses, read.names.uris].flat();
  const more = asked.find((name) => !known.has(name));
  if (more !== undefined)
    return { reason: `The request asks for ${JSON.stringify(more)}, which is not a name of the node.` };
  return { names, key_type, public_key };
}

/** False: the node asks for something else by now, or may not have it any more. */
function keepSigned(
  tx: Transaction,
  { node, request, signed }: Asking & { readonly signed: Omit<Signed, 'profile' | 'nodes' | 'requested_by'> },
): boolean {
  if (askingOf(tx, node.id)?.request !== request) return false;
  const { id, body } = node;
  const requested_by = { kind: 'node', id, name: body.name } as const;
  const certificate = keepCertificate(tx, { ...signed, profile: 'node', nodes: [id as NodeId], requested_by });
  tx.put('node_certificate', id, {
    ...certificatesOf(tx, id),
    request: null,
    refused: null,
    current: certificate.id as CertificateId,
    issued_at: utc(tx.now_ms),
  });
  return true;
}

function keepRefused(tx: Transaction, node: Stored<'node'>, request: string, reason: string): void {
  if (askingOf(tx, node.id)?.request !== request) return;
  tx.put('node_certificate', node.id, { ...certificatesOf(tx, node.id), request: null, refused: reason });
  tx.emit({ ...aboutNode(node), type: 'certificate.refused', data: { name: node.body.name, reason } });
}
