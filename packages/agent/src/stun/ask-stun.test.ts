import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { attribute, bindingAnswer, type Question, stunServer } from '../../test/stun-server.ts';
import { UNUSED_PORT } from '../../test/unused-port.ts';
import { askStun, type StunQuestion } from './ask-stun.ts';

const SEEN = { address: '203.0.113.1', port: 40_001 };
/**
 * Where it must not matter how long it waits, it waits for long, and so asks once; where it must ask again or give up, it does
 * so soon.
 */
const PATIENT = { first_wait_ms: 60_000, give_up_ms: 60_000 };
const INSISTENT = { first_wait_ms: 20, give_up_ms: 60_000 };
const HASTY = { first_wait_ms: 20, give_up_ms: 100 };

const ask = (server: { address: string; port: number }, more: Partial<StunQuestion> = {}) =>
  askStun({ ...server, from_port: 0, pace: PATIENT, signal: new AbortController().signal, ...more });
const right = ({ request, answer }: Question) => answer(bindingAnswer(request, SEEN));

describe('asking a STUN server', { timeout: 60_000 }, () => {
  for (const address of ['127.0.0.1', '::1']) {
    it(`finds what it sees of us, at ${address}`, async () => {
      await using server = await stunServer(right, address);
      const { mapping, rtt_ms } = await ask(server);
      assert.deepEqual(mapping, SEEN);
      assert.ok(rtt_ms >= 0);
    });
  }

  it('asks from the given port, and leaves it free', async () => {
    const port = await freePort();
    await using server = await stunServer(right);
    await ask(server, { from_port: port });
    await ask(server, { from_port: port });
    assert.deepEqual(server.ports, [port, port]);
    const taken = await bound(port);
    await assert.rejects(ask(server, { from_port: port }), { code: 'EADDRINUSE' });
    await closed(taken);
  });

  it('asks again, with a new transaction, when nothing comes back', async () => {
    let asked = 0;
    await using server = await stunServer((question) => (++asked < 3 ? undefined : right(question)));
    assert.deepEqual((await ask(server, { pace: INSISTENT })).mapping, SEEN);
    assert.equal(new Set(server.requests.map((request) => request.toString('hex'))).size, server.requests.length);
    assert.ok(server.requests.length >= 3);
  });

  it('takes a late answer to an earlier try', async () => {
    const first: Question[] = [];
    await using server = await stunServer((question) => {
      if (first.push(question) === 2) right(first[0] ?? question);
    });
    assert.deepEqual((await ask(server, { pace: INSISTENT })).mapping, SEEN);
  });

  it('gives up on a silent one', async () => {
    await using server = await stunServer(() => undefined);
    await assert.rejects(ask(server, { pace: HASTY }), /^Error: no answer$/);
  });

  it('rejects a port out of range', async () => {
    for (const port of [0, 70_000]) await assert.rejects(ask({ address: '127.0.0.1', port }), /Port should be/);
  });

  it('rejects when no server listens', async () => {
    await assert.rejects(ask({ address: '127.0.0.1', port: UNUSED_PORT }), { code: 'ECONNREFUSED' });
  });

  it('rejects when the server refuses', async () => {
    const attributes = [attribute(0x0009, Buffer.from([0, 0, 4, 1]))];
    await using server = await stunServer(({ request, answer }) =>
      answer(bindingAnswer(request, { ...SEEN, type: 0x0111, attributes })),
    );
    await assert.rejects(ask(server), /error 401/);
  });

  it('ends at once when aborted', async () => {
    const stopping = new AbortController();
    await using server = await stunServer(() => stopping.abort(new Error('enough')));
    await assert.rejects(ask(server, { signal: stopping.signal }), /enough/);
    await assert.rejects(ask(server, { signal: stopping.signal }), /enough/, 'and when it was aborted before');
  });
});

describe('what is no answer to us', { timeout: 60_000 }, () => {
  const WRONG = { address: '198.51.100.66', port: 666 };
  const noise: Readonly<Record<string, (question: Question) => Buffer>> = {
    'of another transaction': ({ request }) => bindingAnswer(request, { ...WRONG, transaction: Buffer.alloc(12, 1) }),
    'with a wrong fingerprint': ({ request }) => bindingAnswer(request, { ...WRONG, spoil_fingerprint: 1 }),
    'our own request': ({ request }) => request,
    empty: () => Buffer.alloc(0),
    text: () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'the largest there is': () => Buffer.alloc(65_000, 0x21),
  };
  for (const [what, datagram] of Object.entries(noise)) {
    it(`is passed over: ${what}`, async () => {
      await using server = await stunServer((question) => {
        question.answer(datagram(question));
        right(question);
      });
      assert.deepEqual((await ask(server)).mapping, SEEN);
    });
  }

  it('is passed over: from another address, or from another port', async () => {
    const others = await Promise.all(['127.0.0.2', '127.0.0.1'].map((address) => bound(0, address)));
    await using server = await stunServer(async ({ request, from, answer }) => {
      for (const other of others) {
        const sent = Promise.withResolvers<void>();
        other.send(bindingAnswer(request, WRONG), from.port, from.address, () => sent.resolve());
        await sent.promise;
      }
      answer(bindingAnswer(request, SEEN));
    });
    try {
      assert.deepEqual((await ask(server)).mapping, SEEN);
    } finally {
      await Promise.all(others.map(closed));
    }
  });
});

async function bound(port: number, address = '0.0.0.0') {
  const socket = createSocket('udp4').bind(port, address);
  await once(socket, 'listening');
  return socket;
}

async function closed(socket: Awaited<ReturnType<typeof bound>>): Promise<void> {
  await new Promise<void>((resolve) => socket.close(resolve));
}

async function freePort(): Promise<number> {
  const socket = await bound(0);
  const { port } = socket.address();
  await closed(socket);
  return port;
}
