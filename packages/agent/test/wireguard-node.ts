import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SeenPeer, TunnelPeer, TunnelSettings } from '../src/engines/wireguard/tunnel.ts';
import { WireguardTunnel } from '../src/engines/wireguard/wireguard-tunnel.ts';
import { type KeyPair, newWireguardKey } from '../src/identity/keys.ts';
import { cable, type Namespace, namespace, until } from './namespaces.ts';
import { MESH, type NewDriver } from './wireguard-places.ts';

export const PORT = 51820;
/** What begins a handshake, and what answers it. */
export const INITIATION_BYTES = 148;
export const RESPONSE_BYTES = 92;

/** A node of a small mesh: a namespace with a tunnel in it. */
export interface TestNode extends AsyncDisposable {
  readonly number: number;
  readonly place: Namespace;
  readonly key: KeyPair;
  readonly tunnel: WireguardTunnel;
  readonly settings: TunnelSettings;
}

/** As much of a node as can be reached through its tunnel. */
type Reachable = Pick<TestNode, 'number' | 'place'>;

/** Open and up, with the address 100.64.0.<number> and no peers. */
export async function testNode(number: number, newDriver: NewDriver, now?: () => number): Promise<TestNode> {
  const place = await namespace(`n${number}`);
  try {
    const key = newWireguardKey();
    const tunnel = new WireguardTunnel({ driver: await newDriver(place), now });
    const settings = { private_key: key.private, port: PORT, mark: 51 };
    await tunnel.open(settings);
    await setUp(place, number);
    const dispose = () => place[Symbol.asyncDispose]();
    return { number, place, key, tunnel, settings, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await place[Symbol.asyncDispose]();
    throw error;
  }
}

/** What `network/` does for an agent. */
export async function setUp({ run }: Namespace, number: number): Promise<void> {
  await run('ip', ['address', 'replace', `100.64.0.${number}/24`, 'dev', MESH]);
  await run('ip', ['link', 'set', 'dev', MESH, 'up']);
}

interface Pair extends AsyncDisposable {
  readonly one: TestNode;
  readonly two: TestNode;
}

/** Nodes 1 and 2 with a cable between them, at 192.0.2.1 and 192.0.2.2. They do not know each other yet. */
export async function pair(newDriver: NewDriver, now?: () => number): Promise<Pair> {
  await using made = new AsyncDisposableStack();
  const one = made.use(await testNode(1, newDriver, now));
  const two = made.use(await testNode(2, newDriver, now));
  await cable(one.place, two.place, ['192.0.2.1/24', '192.0.2.2/24']);
  const kept = made.move();
  return { one, two, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * Passes packets on between the nodes of a pair. Of what they begin with, and then of their answers, it keeps the first of
 * each until it has both: so they cross, and no answer comes before both have been asked. Whatever comes after those is
 * lost, until the test has it pass on everything.
 */
const CROSSING = `const rounds = [new Map(), new Map()];
let isOpen = false;
require('dgram').createSocket('udp4').on('message', function (packet, { address }) {
  const pass = (bytes, from) => this.send(bytes, ${PORT}, from === '192.0.2.1' ? '192.0.2.2' : '192.0.2.1');
  if (isOpen) return pass(packet, address);
  const kept = rounds[packet[0] - 1];
  if (kept === undefined || kept.size === 2) return;
  if (!kept.has(address)) kept.set(address, packet);
  if (kept.size === 2) for (const [from, bytes] of kept) pass(bytes, from);
}).bind(60000, '192.0.2.1', () => console.log('listening'));
process.stdin.on('data', () => { isOpen = true; console.log('open'); });`;

/** Where each node of a pair finds the other, so that their first packets cross on the way. */
export async function crossingPlace({ one }: Pair) {
  const { stdin, stdout } = one.place.spawn(process.execPath, ['-e', CROSSING]);
  if (stdin === null || stdout === null) throw new Error('it has no input or output');
  await once(stdout, 'data');
  return {
    place: '192.0.2.1:60000',
    /** From now on all is passed on as it comes. */
    async open(): Promise<void> {
      stdin.write('open\n');
      await once(stdout, 'data');
    },
  };
}

/**
 * Passes packets on between the nodes of a pair, all but those of one session to one node: those with the index that the node
 * gave when it first began. So that session is dead in one direction, and both ends show a handshake.
 */
const DEAFENING = `let index;
require('dgram').createSocket('udp4').on('message', function (packet, { address }) {
  const number = packet.readUInt32LE(4);
  if (address === process.argv[1] && packet[0] === 1) index ??= number;
  if (address !== process.argv[1] && packet[0] === 4 && number === index) return;
  this.send(packet, ${PORT}, address === '192.0.2.1' ? '192.0.2.2' : '192.0.2.1');
}).bind(60000, '192.0.2.1', () => console.log('listening'));`;

/** Where one node of a pair finds the other, and does not hear it in the first session that it begins. */
export async function deafeningPlace({ one }: Pair, deaf: TestNode): Promise<string> {
  const { stdout } = one.place.spawn(process.execPath, ['-e', DEAFENING, `192.0.2.${deaf.number}`]);
  if (stdout === null) throw new Error('it has no output');
  await once(stdout, 'data');
  return '192.0.2.1:60000';
}

/** The node as a peer of others. Absent endpoints: where the cable of `pair` ends. */
export function asPeer({ number, key }: TestNode, changes: Partial<TunnelPeer> = {}): TunnelPeer {
  const networks = [`100.64.0.${number}/32`];
  return { id: `node-${number}`, key: key.public, networks, endpoints: [`192.0.2.${number}:${PORT}`], ...changes };
}

export async function ping({ place }: TestNode, { number }: TestNode): Promise<boolean> {
  const said = await place.run('ping', ['-n', '-c', '1', '-W', '1', `100.64.0.${number}`]);
  return said.includes(' 0% packet loss');
}

export function untilPing(from: TestNode, to: TestNode): Promise<void> {
  return until(`node ${from.number} reaches node ${to.number}`, () => ping(from, to));
}

/** What a node says of another one that is a peer of it. */
export async function seenBy({ tunnel }: TestNode, { number, key }: TestNode): Promise<SeenPeer> {
  const seen = (await tunnel.look()).peers.get(key.public);
  if (seen === undefined) throw new Error(`node ${number} is no peer`);
  return seen;
}

/** When the peer and the node last agreed on a session: another number is another session. */
export async function handshake({ tunnel }: TestNode, key: string): Promise<number | null> {
  return (await tunnel.look()).peers.get(key)?.handshake_ms ?? null;
}

const SERVER = `require('net').createServer((socket) => {
  let bytes = 0;
  socket.on('data', (chunk) => { bytes += chunk.length; }).on('end', () => socket.end(String(bytes)));
}).listen(9000, process.argv[1], () => console.log('listening'))`;
const CLIENT = `const socket = require('net').connect(9000, process.argv[1], () => { console.log('started'); more(); });
let [sent, last] = [0, Infinity];
function more() {
  while (sent < last) {
    sent += 65536;
    if (!socket.write(Buffer.alloc(65536))) return void socket.once('drain', more);
  }
  socket.end();
}
process.stdin.once('data', (bytes) => { last = sent + Number(bytes); process.stdin.destroy(); });
socket.on('data', (chunk) => console.log('sent ' + sent + ', arrived ' + chunk))`;

/** Sends bytes from one node to the other through the tunnel, without an end. Answers once it has begun. */
export async function transfer(from: Reachable, to: Reachable) {
  const address = `100.64.0.${to.number}`;
  const server = script(to.place, SERVER, [address]);
  await once(server.stdout, 'data');
  const client = script(from.place, CLIENT, [address]);
  let said = '';
  client.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(client, 'close'); // with all that it said: its exit alone may come before that
  await once(client.stdout, 'data');
  return {
    /** Ends it so many bytes later than now, and says how many were sent and arrived in all. */
    async endAfter(bytes: number): Promise<{ sent: number; arrived: number }> {
      client.stdin.write(String(bytes));
      await ended;
      const [, sent, arrived] = /sent (\d+), arrived (\d+)/.exec(said) ?? [];
      return { sent: Number(sent), arrived: Number(arrived) };
    },
  };
}

function script({ enter: [command = '', ...args] }: Namespace, program: string, values: readonly string[]) {
  return spawn(command, [...args, process.execPath, '-e', program, ...values], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
