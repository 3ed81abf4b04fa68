import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createClient, UnreachableError } from '@meshwork/client';
import { loopbackServer } from '@meshwork/client/testing';
import { newFolder } from '../../test/new-folder.ts';
import { type Certificate, certificate, opensslPin, type TlsServer, tlsServer } from '../../test/tls-server.ts';
import { LeanFetch, type TlsOptions } from './lean-fetch.ts';
import { PinMismatchError, presentedPin } from './pins.ts';

const SECRET = 'mesh_a-bearer-that-must-not-leak';

function clientOf(url: string, tls: TlsOptions) {
  const lean = new LeanFetch(tls);
  const client = createClient({ url, fetch: lean.fetch, retry: false, token: SECRET });
  return { ask: () => client.call('self.whoami'), lean, [Symbol.dispose]: () => lean.close() };
}

/** It was refused for what the other side showed, and nothing had been sent to it. */
async function refused(call: Promise<unknown>, server: TlsServer): Promise<unknown> {
  const error = await call.then(
    () => assert.fail('it should have been refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnreachableError, String(error));
  assert.equal(error.reason, 'tls');
  await server.alone();
  assert.equal(server.received, '');
  return beneath(error);
}

function beneath(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? beneath(error.cause) : error;
}

describe('whom a connection trusts', () => {
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let alone: Certificate;
  let other: Certificate;
  let authority: Certificate;
  let signed: Certificate;
  let misnamed: Certificate;
  before(async () => {
    folder = await newFolder();
    alone = await certificate(folder.path, 'alone', '');
    other = await certificate(folder.path, 'other', 'IP:127.0.0.1');
    authority = await certificate(folder.path, 'authority', '');
    signed = await certificate(folder.path, 'signed', 'IP:127.0.0.1', authority);
    misnamed = await certificate(folder.path, 'misnamed', 'IP:192.0.2.1', authority);
  });
  after(() => folder[Symbol.asyncDispose]());

  it('with a pin: connects to the holder of the key, whatever its certificate says', async () => {
    await using server = await tlsServer(alone);
    const pin = await opensslPin(alone);
    using it = clientOf(server.url, { pins: [await opensslPin(other), pin] });
    await it.ask();
    await it.ask();
    assert.equal(server.received.split(`Bearer ${SECRET}`).length, 3);
    assert.equal(server.connections, 1);
  });

  it('with a pin: refuses any other key, also one that an authority signed, before a byte is sent', async () => {
    await using server = await tlsServer(signed);
    const pins = [await opensslPin(alone)];
    using it = clientOf(server.url, { pins });
    const error = await refused(it.ask(), server);
    assert.ok(error instanceof PinMismatchError);
    assert.equal(error.presented, await opensslPin(signed));
  });

  it('reads the pin of an untrusted server without sending it a request', async () => {
    await using server = await tlsServer(alone);
    assert.equal(await presentedPin(server.url), await opensslPin(alone));
    await server.alone();
    assert.equal(server.received, '');
    await using silent = await loopbackServer(() => undefined);
    assert.equal(await presentedPin(silent.url.replace('http:', 'https:')), undefined);
  });

  it('with a pin: each connection anew, also where the last one could have been resumed', async () => {
    const pins = [await opensslPin(alone)];
    const first = await tlsServer(alone);
    using it = clientOf(first.url, { pins });
    await it.ask();
    first.hangUp();
    await it.ask().catch(() => it.ask()); // the first may still have found the old connection
    assert.deepEqual([first.connections, first.resumed], [2, 0]);
    await first[Symbol.asyncDispose]();
    await using impostor = await tlsServer(other, first.port);
    await refused(
      it.ask().catch(() => it.ask()),
      impostor,
    );
  });

  it('with a pin: one that never shows a certificate is given up in time, and when the caller has enough', async () => {
    const server = createServer((socket) => socket.resume().on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    using lean = Object.assign(new LeanFetch({ pins: [await opensslPin(alone)] }), {
      [Symbol.dispose]: () => lean.close(),
    });
    const client = createClient({ url, fetch: lean.fetch, retry: false, token: SECRET });
    await assert.rejects(client.call('self.whoami', { timeout_ms: 50 }), /no answer came in time/);
    const controller = new AbortController();
    const ended = client.call('self.whoami', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(ended, /enough/);
    server.close();
    await once(server, 'close'); // every connection is ended, though no call waits for it any more
  });

  it('with an authority: accepts only what it signed for that name', async () => {
    await using good = await tlsServer(signed);
    using trusting = clientOf(good.url, { ca: authority.cert });
    await trusting.ask();
    for (const impostor of [misnamed, other]) {
      await using server = await tlsServer(impostor);
      using it = clientOf(server.url, { ca: authority.cert });
      await refused(it.ask(), server);
    }
  });

  it('with neither: whom the system trusts', async () => {
    await using server = await tlsServer(other);
    using it = clientOf(server.url, {});
    await refused(it.ask(), server);
  });
});
