/** A coordinator with a mesh CA, a node that shows what a test wants it to, and clients that prove its names. */
import assert from 'node:assert/strict';
import type { Probe, TokenWithSecret } from '@meshwork/contract';
import { requestOf } from '@meshwork/pki/testing';
import type { AcmeBody, AcmeClient, AcmeGot } from './acme-client.ts';
import { TestCoordinator } from './harness.ts';
import { ProbedNode } from './probed-node.ts';
import { TestNode } from './test-node.ts';

export const GIT = { team: 'platform', surface: 'git', environment: 'production' };
const GIT_TAGS = ['team:platform', 'surface:git', 'env:production'];

/** The status, and the type without what all types begin with. */
export const errorOf = ({ status, body }: AcmeGot) => [status, body.type.replace('urn:ietf:params:acme:error:', '')];

export const requestFor = (...names: readonly string[]) =>
  requestOf({ extensions: [`subjectAltName=${names.map((name) => `DNS:${name}`).join()}`] });

export class AcmeScene {
  readonly mesh: TestCoordinator;
  /** `git-1`. There is another node, `other`, outside of the scope of the token. */
  readonly node: ProbedNode;
  /** "certbot on git-1". */
  readonly token: TokenWithSecret;
  /** What programs on the node show, by name of the file or of the host. Absent: nothing listens. */
  readonly shown: Map<string, string>;

  private constructor(parts: Pick<AcmeScene, 'mesh' | 'node' | 'token' | 'shown'>) {
    this.mesh = parts.mesh;
    this.node = parts.node;
    this.token = parts.token;
    this.shown = parts.shown;
  }

  static async start(): Promise<AcmeScene> {
    const mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
    const shown = new Map<string, string>();
    const answer = ({ challenge }: Probe) => {
      if (challenge === undefined) return { error: 'not here' };
      const text = shown.get(challenge.type === 'http-01' ? challenge.token : challenge.name);
      if (text === undefined) return { challenge: { fault: 'connection' as const, detail: 'connect ECONNREFUSED' } };
      return { challenge: { shown: text } };
    };
    const node = new ProbedNode(await TestNode.enroll(mesh, { name: 'git-1', tags: GIT_TAGS }), answer);
    await TestNode.enroll(mesh, { name: 'other' });
    await node.start(['challenge']);
    const token = await mesh.token({ name: 'certbot on git-1', scope: GIT, role: 'operator', days: 200 });
    return new AcmeScene({ mesh, node, token, shown });
  }

  async close(): Promise<void> {
    try {
      await this.node.stop();
    } finally {
      await this.mesh.close();
    }
  }

  /** Sessions of nodes end within the hour; an agent opens another. */
  async later(seconds: number): Promise<void> {
    await this.node.stop();
    this.mesh.clock.advance(seconds);
    await this.node.node.prove();
    await this.node.start(['challenge']);
  }

  /** Puts the answers to an order in place. */
  async show(client: AcmeClient, order: AcmeBody): Promise<void> {
    for (const url of order.authorizations) {
      for (const { token: file } of (await client.read(url)).body.challenges) {
        this.shown.set(file, await client.keyAuthorization(file));
      }
    }
  }

  /** An order whose names are proven. */
  async proven(client: AcmeClient, ...names: readonly string[]): Promise<AcmeBody> {
    const order = await client.order(...names);
    assert.equal(order.status, 201, order.text);
    await this.show(client, order.body);
    for (const { status } of await client.prove(order.body)) assert.equal(status, 'valid');
    return (await client.read(order.headers.get('location') ?? '')).body;
  }

  async certified(
    client: AcmeClient,
    ...names: readonly string[]
  ): Promise<{ readonly order: AcmeBody; readonly chain: string }> {
    const order = await this.proven(client, ...names);
    const done = await client.finalize(order, await requestFor(...names));
    assert.deepEqual([done.status, done.body.status], [200, 'valid'], done.text);
    const got = await client.read(done.body.certificate);
    assert.equal(got.headers.get('content-type'), 'application/pem-certificate-chain');
    return { order: done.body, chain: got.text };
  }
}
