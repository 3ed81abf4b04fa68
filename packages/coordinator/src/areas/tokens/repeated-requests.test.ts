import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { TokenWithSecret, Whoami } from '@meshwork/contract';
import { arrivalOf } from '../../../test/arrival.ts';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';

/** Sends a repeated request that passes the gate, and whose body arrives only after what happens meanwhile. */
async function heldBack(
  mesh: TestCoordinator,
  { token, body }: { readonly token: string; readonly body: string },
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const { hostname, port } = new URL(mesh.url);
  const arrival = arrivalOf('POST', '/v1/auth/tokens');
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const closed = once(socket, 'close');
  const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: again\r\n`;
  socket.write(
    `POST /v1/auth/tokens HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await arrival;
  await meanwhile();
  socket.write(body);
  await closed;
  return answer;
}

describe('requests for tokens that come again', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  it('are answered with the same token, and their key is refused for another request', async () => {
    const body = { name: 'once', scope: PLATFORM, expires: mesh.inDays(1) };
    const ask = (name: string, token?: string) =>
      mesh.ask<TokenWithSecret & { code?: string }>('POST', '/v1/auth/tokens', {
        body: { ...body, name },
        headers: { 'idempotency-key': 'deploy-42' },
        ...(token === undefined ? {} : { token }),
      });
    const [first, second] = await Promise.all([ask('once'), ask('once')]);
    assert.equal(first.status, 201);
    assert.equal(second.text, first.text);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    const other = await ask('another');
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused']);
    const weak = await mesh.token({ role: 'viewer' });
    assert.equal((await ask('once', weak.secret)).status, 403, 'a key gives another caller nothing');
    await mesh.down();
    await mesh.up();
    assert.equal((await ask('once')).text, first.text, 'also after a restart');
    const bad = await mesh.ask('POST', '/v1/auth/tokens', { body, headers: { 'idempotency-key': 'a b' } });
    assert.deepEqual([bad.status, bad.body.errors?.[0]?.pointer], [422, 'header/idempotency-key']);
  });

  it('get no secret once their caller was revoked or weakened, also while they wait', async () => {
    await mesh.ask('POST', '/v1/auth/roles', { body: { name: 'maker', permissions: ['tokens:create', 'acls:write'] } });
    const maker = await mesh.token({ role: 'maker' });
    const expires = mesh.inDays(20); // no later than its maker: time passes between the two
    const body = { name: 'made', scope: PLATFORM, expires, role: 'maker' };
    const ask = () =>
      mesh.ask('POST', '/v1/auth/tokens', {
        token: maker.secret,
        body,
        headers: { 'idempotency-key': 'again' },
      });
    assert.equal((await ask()).status, 201);
    assert.equal((await ask()).status, 201);
    await mesh.ask('PUT', '/v1/auth/roles/maker', { body: { permissions: ['tokens:create'] } });
    assert.equal((await ask()).status, 201, 'the token in question became weaker too');
    await mesh.ask('POST', '/v1/auth/roles', {
      body: { name: 'strong', permissions: ['acls:write', 'tokens:create'] },
    });
    const strong = await mesh.token({ role: 'strong' });
    const made = () =>
      mesh.ask('POST', '/v1/auth/tokens', {
        token: strong.secret,
        body: { name: 'made', scope: PLATFORM, expires, role: 'pipeline' },
        headers: { 'idempotency-key': 'again' },
      });
    assert.equal((await made()).body.code, 'exceeds_own_rights');
    await mesh.ask('PUT', '/v1/auth/roles/strong', {
      body: { permissions: (await mesh.ask<Whoami>('GET', '/v1/auth/whoami')).body.permissions },
    });
    assert.equal((await made()).status, 201);
    await mesh.ask('PUT', '/v1/auth/roles/strong', { body: { permissions: ['tokens:create'] } });
    const weakened = await made();
    assert.deepEqual([weakened.status, weakened.body.code], [403, 'exceeds_own_rights']);
    assert.ok(!weakened.text.includes('mesh_'));
    const late = await heldBack(mesh, { token: maker.secret, body: JSON.stringify(body) }, () =>
      mesh.ask('DELETE', `/v1/auth/tokens/${maker.id}`),
    );
    assert.match(late, /^HTTP\/1\.1 401 [\s\S]*token_revoked/);
  });
});
