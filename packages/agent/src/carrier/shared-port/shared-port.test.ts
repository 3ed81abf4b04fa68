import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../test/namespaces.ts';
import {
  type CarriedNode,
  nextEvent,
  outsideSix,
  pinging,
  pings,
  RELAYS,
  RelayScene,
  setEndpoint,
} from '../../../test/relay-scene.ts';
import { PORT } from '../../../test/wireguard-node.ts';
import { bindingRequest } from '../../stun/binding.ts';
import { ATTRIBUTES, writeMessage } from '../../stun/message.ts';
import { deleteTables } from '../tables/load-tables.ts';
import { peerRequest } from './binding-peers.ts';

const KEY = randomBytes(32);

describe('the port that WireGuard and STUN share', { timeout: 120_000 }, () => {
  let scene: RelayScene;
  before(async () => {
    scene = await RelayScene.build();
    await scene.forward(true);
    for (const [from, to] of pairs(scene)) {
      await setEndpoint(from, to, `${to.outside}:${PORT}`);
      const set = [{ peer: to.name, key: KEY.toString('hex') }];
      await from.carrier.ask('links', { set, remove: [] });
    }
  });
  after(() => scene?.[Symbol.asyncDispose]());

  it('is what a STUN server sees', async () => {
    const answered = nextEvent(scene.one, 'answered');
    const to = { address: RELAYS[0], port: 3478 };
    const { transaction } = await scene.one.carrier.ask('ask', { to });
    const { rtt_ms, ...rest } = await answered;
    assert.deepEqual(rest, { transaction, from: to, mapped: { address: scene.one.outside, port: PORT } });
    assert.ok(rtt_ms > 0);
  });

  it('is asked and answered between peers over both families, while WireGuard uses it too', async () => {
    const { one, two } = scene;
    await until('WireGuard has a session', async () => (await pings(one, two, 1)) === 1);
    const stop = pinging(one, two);
    for (const [mine, its] of [
      [one.outside, two.outside],
      [outsideSix(one), outsideSix(two)],
    ] as const) {
      const [answered, asked] = [nextEvent(one, 'answered'), nextEvent(two, 'asked')];
      const to = { address: its, port: PORT };
      const { transaction } = await one.carrier.ask('ask', { to, peer: two.name });
      assert.deepEqual(await asked, { peer: one.name, from: { address: mine, port: PORT } });
      const { rtt_ms: _, ...rest } = await answered;
      assert.deepEqual(rest, { transaction, from: to, mapped: { address: mine, port: PORT } });
    }
    assert.equal(await pings(one, two, 20), 20);
    assert.deepEqual((await stop()).missing, []);
  });

  it('is silent to all that do not prove themselves, to replays from elsewhere, and on the socket’s own port', async () => {
    const { two, one } = scene;
    const names = { to: two.name, from: one.name };
    const genuine = peerRequest(randomBytes(12), KEY, names);
    const forged = Buffer.from(genuine);
    forged.writeUInt8(forged.readUInt8(30) ^ 1, 30);
    const hostile = [
      bindingRequest(randomBytes(12)),
      peerRequest(randomBytes(12), randomBytes(32), names),
      peerRequest(randomBytes(12), KEY, { ...names, from: 'node-9' }),
      peerRequest(randomBytes(12), KEY, { ...names, to: 'node-9' }),
      forged,
      genuine.subarray(0, 40),
      Buffer.concat([genuine.subarray(0, 20), randomBytes(1400)]),
      writeMessage({
        type: 1,
        transaction: randomBytes(12),
        attributes: [{ type: ATTRIBUTES.USERNAME, value: Buffer.alloc(60_000, 'a') }],
        key: KEY,
      }),
      ...Array.from({ length: 50 }, () => Buffer.concat([Buffer.from('000100002112a442', 'hex'), randomBytes(60)])),
    ];
    const heard: { peer: string }[] = [];
    two.carrier.events.on('asked', (facts) => heard.push(facts));
    const { four = 0 } = two.sockets.shared_ports;
    const sent = [
      ...hostile.map((bytes) => ({ bytes, port: PORT })),
      { bytes: peerRequest(randomBytes(12), KEY, names), port: four },
      { bytes: genuine, port: PORT },
      { bytes: genuine, port: PORT, fresh: true },
      { bytes: genuine, port: PORT },
    ];
    // A genuine one is answered, also when it is repeated. From another socket it is a replay.
    assert.deepEqual(await answersTo(one, two.outside, sent), [
      genuine.toString('hex', 8, 20),
      genuine.toString('hex', 8, 20),
    ]);
    assert.equal(await pings(one, two, 5), 5);
    assert.deepEqual(
      heard.map(({ peer }) => peer),
      [one.name, one.name],
    );
  });

  it('believes no answer that is not proven, and asks no more than it may', async () => {
    const { one } = scene;
    const answers: unknown[] = [];
    one.carrier.events.on('answered', (facts) => answers.push(facts));
    // A server answers without proof: from a peer that is not enough.
    await one.carrier.ask('ask', { to: { address: RELAYS[0], port: 3478 }, peer: scene.two.name });
    const last = nextEvent(one, 'answered');
    const { transaction } = await one.carrier.ask('ask', { to: { address: RELAYS[0], port: 3478 } });
    assert.equal((await last).transaction, transaction);
    assert.equal(answers.length, 1);
    await assert.rejects(one.carrier.ask('ask', { to: { address: RELAYS[0], port: 3478 }, peer: 'node-9' }), /no key/);
    const to = { address: '192.0.2.77', port: 9 };
    const asked = await Promise.allSettled(Array.from({ length: 1000 }, () => one.carrier.ask('ask', { to })));
    const refused = asked.filter(({ status }) => status === 'rejected').length;
    assert.ok(refused > 0 && refused < 1000, `${refused} of 1000 were refused`);
  });

  it('leaves no rule behind when its tables are deleted, also twice', async () => {
    const { run } = scene.one.place;
    assert.match(await run('nft', ['list', 'tables']), /mesh_carrier\n.*mesh_shared_port/);
    await deleteTables(run);
    await deleteTables(run);
    assert.equal(await run('nft', ['list', 'tables']), '');
  });
});

function pairs({ one, two }: RelayScene): readonly (readonly [CarriedNode, CarriedNode])[] {
  return [[one, two] as const, [two, one] as const];
}

interface Sent {
  readonly bytes: Buffer;
  readonly port: number;
  /** From another socket. */
  readonly fresh?: boolean;
}

/** Sends from a place, and says which transactions are answered. The last is answered, twice in all: what went before it is not, then. */
async function answersTo({ place }: CarriedNode, address: string, sent: readonly Sent[]): Promise<readonly string[]> {
  const child = place.script(`
    import { createSocket } from 'node:dgram';
    import { text } from 'node:stream/consumers';
    const { address, sent } = JSON.parse(await text(process.stdin));
    const answers = [];
    const open = async () => {
      const socket = createSocket('udp4').on('message', (bytes) => answers.push(bytes.toString('hex', 8, 20)));
      await new Promise((resolve) => socket.bind(0, resolve));
      return socket;
    };
    const [first, other] = [await open(), await open()];
    for (const { bytes, port, fresh } of sent) {
      const packet = Buffer.from(bytes, 'base64');
      await new Promise((resolve) => (fresh ? other : first).send(packet, port, address, resolve));
    }
    while (answers.length < 2) await new Promise((resolve) => first.once('message', resolve));
    for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
    console.log(JSON.stringify(answers));
    process.exit();
  `);
  child.stdin?.end(
    JSON.stringify({ address, sent: sent.map((one) => ({ ...one, bytes: one.bytes.toString('base64') })) }),
  );
  let said = '';
  for await (const chunk of child.stdout ?? []) said += String(chunk);
  return JSON.parse(said) as string[];
}
