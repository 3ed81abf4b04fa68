/** ACME clients do not care which of several coordinators answers them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Probe } from '@meshwork/contract';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { AcmeClient, bindingOf } from '../../../test/acme-client.ts';
import { errorOf, requestFor } from '../../../test/acme-scene.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { ProbedNode } from '../../../test/probed-node.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('ACME at two coordinators', { timeout: 180_000 }, () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;
  let node: ProbedNode;
  const shown = new Map<string, string>();
  const answer = ({ challenge }: Probe) => ({ challenge: { shown: shown.get(challenge?.token ?? '') ?? 'nothing' } });

  before(async () => {
    server = await startPostgresServer();
    const store = await server.newDatabase();
    first = await TestCoordinator.startWithAuthorities({ MESH_STORE: store });
    second = await first.joined();
    // It reports to the coordinator that does not lead.
    node = await new ProbedNode(await TestNode.enroll(second, { name: 'git-1' }), answer).start(['challenge']);
  });
  after(async () => {
    await node?.stop();
    await second?.close();
    await first?.close();
    await server?.close();
  });

  /** The same client at the other coordinator: what it was given by the first is good there. */
  function elsewhere(client: AcmeClient, at: TestCoordinator): AcmeClient {
    const other = new AcmeClient(at, client.key);
    other.kid = client.kid?.replace(first.url, at.url);
    other.nonce = client.nonce;
    return other;
  }

  it('takes a nonce of the other, once', async () => {
    const client = new AcmeClient(first);
    await client.newAccount(await bindingOf(first));
    await second.until(async () => {
      const got = await elsewhere(client, second).post(client.kid?.replace(first.url, second.url) ?? '', '');
      return got.status === 200;
    });
    const other = elsewhere(client, second);
    const account = other.kid ?? '';
    const nonce = await client.freshNonce();
    assert.equal((await other.once(account, '', { nonce })).status, 200);
    assert.deepEqual(errorOf(await other.once(account, '', { nonce })), [400, 'badNonce']);
    assert.deepEqual(errorOf(await client.once(client.kid ?? '', '', { nonce })), [400, 'badNonce']);
  });

  it('has an order begun at one finished at the other, by a node that reports to either', async () => {
    const client = new AcmeClient(first);
    await client.newAccount(await bindingOf(first));
    const made = await client.order('git-1.mesh');
    assert.equal(made.status, 201, made.text);
    const [authorization = ''] = made.body.authorizations;
    const { body } = await client.read(authorization);
    const [challenge] = body.challenges;
    assert.ok(challenge);
    shown.set(challenge.token, await client.keyAuthorization(challenge.token));
    await client.post(challenge.url, {});
    await first.until(async () => (await client.read(authorization)).body.status === 'valid');
    const other = elsewhere(client, second);
    const finalize = made.body.finalize.replace(first.url, second.url);
    const request = await requestFor('git-1.mesh');
    let certificate = '';
    await second.until(async () => {
      const done = await other.finalize({ ...made.body, finalize }, request);
      certificate = done.body.certificate;
      return done.status === 200;
    });
    await first.until(async () => {
      const got = await client.read(certificate.replace(second.url, first.url));
      return got.status === 200 && got.text.startsWith('-----BEGIN CERTIFICATE-----');
    });
  });
});
