/**
 * What the bench compares the carrier with: the least that moves packets between a port on loopback and a relay. One peer,
 * one channel, one socket each, and nothing that is kept, counted or renewed. Reads where the relay is, says where it is
 * reached, reads where the other is, and carries.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Place } from '../src/stun/xor-address.ts';
import { Allocation } from '../src/turn/allocation.ts';
import type { TurnTransport } from '../src/turn/transport.ts';

const [CHANNEL, WIREGUARD_PORT] = [0x4000, 51_820];
const lookup = (host: string, _: unknown, found: (error: null, address: string, family: 4) => void) =>
  found(null, host, 4);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async <T>() => JSON.parse((await lines.next()).value ?? 'null') as T;
const { relay, credentials } = await read<{ relay: Place; credentials: { username: string; password: string } }>();

const toRelay = createSocket('udp4');
toRelay.connect(relay.port, relay.address);
await once(toRelay, 'connect');
const transport: TurnTransport = {
  kind: 'udp',
  local: undefined,
  reliable: false,
  send: (message) => toRelay.send(message),
  sendChannelData: () => undefined,
  listen: ({ received }) => void toRelay.on('message', received),
  close: () => toRelay.close(),
};
const allocation = await Allocation.make(transport, credentials, { received: () => undefined, lost: () => undefined });
const toWireguard = createSocket({ type: 'udp4', lookup: lookup as never });
await new Promise<void>((resolve) => toWireguard.bind(0, '127.0.0.1', resolve));
process.stdout.write(`${JSON.stringify({ relayed: allocation.relayed, port: toWireguard.address().port })}\n`);

const peer = await read<Place>();
await allocation.permit([peer.address]);
await allocation.bind(CHANNEL, peer);
for (const socket of [toRelay, toWireguard]) {
  socket.setRecvBufferSize(4 * 1024 * 1024);
  socket.setSendBufferSize(4 * 1024 * 1024);
}
toRelay.removeAllListeners('message');
toRelay.on('message', (bytes) => toWireguard.send(bytes.subarray(4), WIREGUARD_PORT, '127.0.0.1'));
toWireguard.on('message', (bytes) => {
  const header = Buffer.allocUnsafe(4);
  header.writeUInt16BE(CHANNEL, 0);
  header.writeUInt16BE(bytes.length, 2);
  toRelay.send([header, bytes]);
});
process.stdout.write('"carries"\n');
