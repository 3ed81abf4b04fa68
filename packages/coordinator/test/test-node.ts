/** A node that speaks to a coordinator by hand: its keys are real, and every heartbeat is exactly what a test wants it to be. */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import {
  type Abilities,
  type CertificateSection,
  type DnsSection,
  type EnrolledNode,
  FEATURES,
  type GivenCertificatesSection,
  type HeartbeatReply,
  type HeartbeatRequest,
  type IngressAssignment,
  type NodeSession,
  type PeerTerms,
  type Problem,
  SECTION_NAMES,
  type TrustSection,
  type WafSection,
} from '@meshwork/contract';
import { digestOf, digestOfTerms, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import { SignJWT } from 'jose';
import type { Ask, Asked, Got } from './harness.ts';

/** An agent that carries all there is. */
export const EVERYTHING: Abilities = { sections: [...SECTION_NAMES], engines: { test: '1' }, features: [...FEATURES] };

interface Keys {
  readonly identity: KeyObject;
  readonly identity_key: string;
  readonly wireguard_key: string;
}

export function newKeys(): Keys {
  const identity = generateKeyPairSync('ed25519');
  const raw = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  return {
    identity: identity.privateKey,
    identity_key: raw(identity.publicKey),
    wireguard_key: newWireguardKey(),
  };
}

export function newWireguardKey(): string {
  const { publicKey } = generateKeyPairSync('x25519');
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

export interface ProofClaims {
  readonly sub?: string;
  readonly aud?: string;
  readonly iat?: number;
  readonly exp?: number;
  readonly jti?: string;
  readonly alg?: string;
  readonly key?: KeyObject;
}

type Beat = Partial<HeartbeatRequest> & { readonly wait?: number };

let named = 0;

export class TestNode {
  /** The coordinator it speaks to; any of the mesh will do. */
  mesh: Asked;
  readonly keys: Keys;
  readonly id: string;
  readonly enrolled: EnrolledNode;
  bearer = '';
  /** What it last said that it can carry. Undefined: nothing, as an agent of version 0.1.0. */
  #abilities: Abilities | undefined;
  boot_id = randomUUID();
  seq = 0;
  revision = 0;
  /** What the coordinator last said of each section. */
  readonly held: {
    self?: unknown;
    firewall: readonly unknown[];
    relay?: unknown;
    trust?: TrustSection | null;
    certificate?: CertificateSection | null;
    ingress: readonly IngressAssignment[];
    waf: WafSection;
    given_certificates: GivenCertificatesSection;
    dns?: DnsSection | null;
    commands: readonly { id: string }[];
  } = { firewall: [], ingress: [], waf: [], given_certificates: [], commands: [] };
  readonly peers = new Map<string, { readonly id: string; readonly [field: string]: unknown }>();

  /** What is allowed with each peer. */
  readonly terms = new Map<string, PeerTerms>();

  private constructor(mesh: Asked, keys: Keys, enrolled: EnrolledNode) {
    this.mesh = mesh;
    this.keys = keys;
    this.enrolled = enrolled;
    this.id = enrolled.id;
  }

  static async enroll(
    mesh: Asked,
    given: Readonly<Record<string, unknown>> & { readonly token?: string } = {},
  ): Promise<TestNode> {
    const { token, ...fields } = given;
    const keys = newKeys();
    const got = await mesh.ask<EnrolledNode>('POST', '/v1/nodes', {
      body: { name: `node-${++named}`, ...publicHalves(keys), ...fields },
      ...(token === undefined ? {} : { token }),
    });
    if (got.status !== 201) throw new Error(`The node could not be enrolled: ${got.text}`);
    const node = new TestNode(mesh, keys, got.body);
    await node.prove();
    return node;
  }

  async proof(claims: ProofClaims = {}): Promise<string> {
    const now_s = Math.floor(this.mesh.clock.now() / 1000);
    const { key, alg, ...rest } = claims;
    const payload = { sub: this.id, aud: 'mesh-node-session', iat: now_s, exp: now_s + 60, jti: randomUUID(), ...rest };
    return new SignJWT(payload).setProtectedHeader({ alg: alg ?? 'EdDSA' }).sign(key ?? this.keys.identity);
  }

  async prove(proof?: string): Promise<Got<NodeSession & Problem>> {
    const got = await this.mesh.ask<NodeSession & Problem>('POST', '/v1/auth/node-sessions', {
      body: { proof: proof ?? (await this.proof()) },
      token: null,
    });
    if (got.status === 201) this.bearer = got.body.bearer;
    return got;
  }

  /** Sends a heartbeat and takes in its answer as an agent would. */
  async beat(given: Beat = {}, ask: Ask = {}): Promise<Got<HeartbeatReply & Problem>> {
    const { wait, ...fields } = given;
    this.#abilities = given.report?.abilities ?? this.#abilities;
    // As an agent does that says everything.
    if (given.complete === true && this.#abilities !== undefined) {
      fields.report = { abilities: this.#abilities, ...given.report };
    }
    const body = { node: this.id, boot_id: this.boot_id, seq: ++this.seq, revision: this.revision, ...fields };
    const query = wait === undefined ? '' : `?wait=${wait}`;
    const got = await this.mesh.ask<HeartbeatReply & Problem>('POST', `/v1/nodes/${this.id}/heartbeat${query}`, {
      body,
      token: this.bearer,
      ...ask,
    });
    if (got.status === 200) this.takeIn(got.body);
    return got;
  }

  takeIn(reply: HeartbeatReply): void {
    this.revision = reply.revision;
    for (const section of [
      'self',
      'firewall',
      'relay',
      'ingress',
      'waf',
      'given_certificates',
      'dns',
      'trust',
      'certificate',
      'commands',
    ] as const) {
      if (reply[section] !== undefined) Object.assign(this.held, { [section]: reply[section] });
    }
    if (reply.peers?.full !== undefined) this.peers.clear();
    for (const peer of [...(reply.peers?.full ?? []), ...(reply.peers?.upsert ?? [])]) this.peers.set(peer.id, peer);
    for (const id of reply.peers?.remove ?? []) this.peers.delete(id);
    if (reply.acl?.full !== undefined) this.terms.clear();
    for (const terms of [...(reply.acl?.full ?? []), ...(reply.acl?.upsert ?? [])]) this.terms.set(terms.peer, terms);
    for (const id of reply.acl?.remove ?? []) this.terms.delete(id);
  }

  /** What an agent reports when all that it was sent is in effect. */
  applied(): NonNullable<HeartbeatRequest['applied']> {
    const { revision } = this;
    const sum = (items: Iterable<unknown>) => total([...items].map(digestOf));
    const total = (digests: readonly number[]) => digests.reduce<number>((a, b) => withItem(a, b), EMPTY_DIGEST);
    const at = (digest: number) => ({ revision, digest: digestText(digest) });
    return {
      self: at(digestOf(this.held.self)),
      peers: at(sum(this.peers.values())),
      acl: at(total([...this.terms.values()].map(digestOfTerms))),
      firewall: at(digestOf(this.held.firewall)),
      relay: at(digestOf(this.held.relay ?? null)),
      ingress: at(sum(this.held.ingress)),
      waf: at(sum(this.held.waf)),
      given_certificates: at(sum(this.held.given_certificates)),
      dns: at(digestOf(this.held.dns ?? null)),
      trust: at(digestOf(this.held.trust ?? null)),
      certificate: at(digestOf(this.held.certificate ?? null)),
    };
  }

  /** Hears what there is, puts it into effect, and says so. */
  async settle(more: Beat = {}): Promise<Got<HeartbeatReply & Problem>> {
    await this.beat({ complete: true });
    return this.beat({ applied: this.applied(), ...more });
  }
}

export function publicHalves({ identity_key, wireguard_key }: Keys) {
  return { identity_key, wireguard_key };
}
