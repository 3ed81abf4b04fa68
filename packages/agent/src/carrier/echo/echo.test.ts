import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../test/namespaces.ts';
import { Echo } from './echo.ts';
import { ECHO_BYTES, writeEcho, writeMessage } from './echo-packet.ts';

const [OWN, PEER, OTHER, STRANGER] = ['127.71.0.1', '127.71.0.2', '127.71.0.3', '127.72.0.1'];

describe('messages inside the tunnel', () => {
  const heard: { from: string; text: string }[] = [];
  let [own, peer, other, stranger]: (Socket | undefined)[] = [];
  let echo: Echo;
  before(async () => {
    // The port of all ends is the one that is free for the first.
    peer = await bound(PEER, 0);
    const { port } = peer.address();
    [other, stranger, own] = [await bound(OTHER, port), await bound(STRANGER, port), await bound(PEER, 0)];
    const places = { addresses: [OWN], port, networks: ['127.71.0.0/16'] };
    echo = await Echo.open(places, { echoed: () => undefined, messaged: (facts) => heard.push(facts) });
  });
  after(() => {
    for (const socket of [own, peer, other, stranger]) socket?.close();
    echo?.close();
  });

  /** What is heard of these, until the other peer is. */
  async function heardOf(socket: Socket | undefined, packets: readonly Buffer[]) {
    const mark = `mark ${performance.now()}`;
    heard.length = 0;
    for (const packet of packets) await sent(socket, packet, echo.places.port);
    await sent(other, writeMessage(mark), echo.places.port);
    await until('the other peer is heard', async () => heard.at(-1)?.text === mark);
    return heard.slice(0, -1);
  }

  it('are heard as they are, and those that are none are not', async () => {
    const text = '\uFEFF{"line":"\n\0\u2028","face":"😀"}';
    const good = writeMessage(text);
    const [cut, unknown] = [Buffer.from(good), Buffer.from(good)];
    cut.writeUInt8(0xff, 12); // no UTF-8
    unknown.writeUInt8(4, 4);
    const wrong = [cut, unknown, good.subarray(0, 8), good.subarray(1), writeMessage('ü'.repeat(501)), Buffer.alloc(0)];
    assert.deepEqual(await heardOf(peer, [...wrong, good]), [{ from: PEER, text }]);
  });

  it('are heard from the mesh alone, and from no other program of a peer', async () => {
    const packet = [writeMessage('{}')];
    assert.deepEqual(await heardOf(stranger, packet), []);
    assert.deepEqual(await heardOf(own, packet), []);
  });

  it('of one peer do not use up what is for the others, in both directions', async () => {
    const many = Array.from({ length: 200 }, (_, number) => writeMessage(String(number)));
    const { length } = await heardOf(peer, many);
    assert.ok(length > 0 && length < 200, `${length} of 200 were heard`);
    assert.throws(() => {
      for (let number = 0; number < 200; number++) echo.send(PEER, '{}');
    }, /too many messages to 127.71.0.2/);
    echo.send(OTHER, '{}');
    assert.throws(() => echo.send(STRANGER, '{}'), /not in the mesh/);
  });

  it('and questions of one peer leave answers for the others', async () => {
    const question = writeEcho('question', '00'.repeat(12), ECHO_BYTES);
    const answers = { one: 0, another: 0 };
    own?.on('message', () => answers.one++);
    other?.on('message', ({ length }) => {
      if (length === ECHO_BYTES) answers.another++;
    });
    for (let count = 0; count < 1500; count++) await sent(own, question, echo.places.port);
    await sent(other, question, echo.places.port);
    await until('both are answered', async () => answers.one > 0 && answers.another > 0);
    assert.ok(answers.one < 1000, `${answers.one} of 1500 were answered`);
  });
});

async function bound(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4').bind(port, address);
  await once(socket, 'listening');
  return socket;
}

function sent(socket: Socket | undefined, packet: Buffer, port: number): Promise<void> {
  return new Promise((resolve) => socket?.send(packet, port, OWN, () => resolve()));
}
