import { newWireguardKey } from '@meshwork/agent';
import { MESH_INTERFACE, type Peer } from '@meshwork/contract';
import { onAllCores } from '../all-cores.ts';
import { Ear } from '../ear.ts';
import { median, type Row } from '../measure.ts';
import { RawEngines } from '../raw-engines.ts';
import { PORT, RawWireguard } from '../raw-tunnel.ts';
import { DOES_NOT_PING, OWN_ADDRESS, PINGS, peerOf, ScriptedNode, termsOf } from '../scripted-node.ts';
import { now, Pings } from '../traffic.ts';
import { pause, until } from '../until.ts';

const SIZES = [1000, 10_000] as const;
const ROUNDS = 3;
const CHANGES = 5;
const EAR_PORT = 40_000;
const QUIET_MS = 500;
/** The agent looks at its links until three seconds after a change, and leaves 100 ms between heartbeats: neither is what is measured. */
const SETTLES_MS = 3500;
const BY_HAND = 'wg and nft by hand';

/**
 * How long a node takes to apply what it is sent, from the answer to its heartbeat on: the real agent with its real engines.
 * Compared with `wg` and `nft` that bring other engines to the same state, and do not read it back.
 */
export function reconcileSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    await using scripted = await ScriptedNode.start(['peer', 'raw']);
    await using wireguard = await RawWireguard.start(scripted.lab.node('raw'));
    await using ear = await Ear.open(scripted.lab.node('peer'), EAR_PORT);
    await using other = await RawWireguard.start(scripted.lab.node('peer'));
    const real = await realPeer(scripted, other);
    await using pings = new Pings(other.place, OWN_ADDRESS, 0.005);
    const scene: Scene = { scripted, raw: new RawEngines(wireguard), ear, pings };
    const rows: Row[] = [];
    for (const size of SIZES) {
      const peers = [real, ...Array.from({ length: size - 1 }, (_, index) => peerOf(index + 1))];
      rows.push(await fromNothing(scene, peers));
      rows.push(...(await oneKey(scene, peers)), ...(await oneGrant(scene, peers)));
    }
    return rows;
  });
}

interface Scene {
  readonly scripted: ScriptedNode;
  readonly raw: RawEngines;
  /** Receives the handshakes to a peer with a new key. */
  readonly ear: Ear;
  /** Of the one peer that is real, to the node. */
  readonly pings: Pings;
}

/** The first of the peers is real and answers, to measure packets. The others have no host. */
async function realPeer({ node }: ScriptedNode, other: RawWireguard): Promise<Peer> {
  const keys = newWireguardKey();
  const peer = peerOf(0, { wireguard_key: keys.public, endpoints: [`${other.place.address}:${PORT}`] });
  const key = (await node.exec('wg', ['show', MESH_INTERFACE, 'public-key'])).trim();
  const to = { key, address: OWN_ADDRESS, at: node.address };
  await other.link({ key: keys.private, address: peer.address.replace('/32', ''), mtu: 1420, peer: to });
  return peer;
}

async function fromNothing({ scripted, raw }: Scene, peers: readonly Peer[]): Promise<Row> {
  const terms = peers.map((_, index) => termsOf(index));
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await scripted.send({ peers: { full: [] }, acl: { full: [] } });
    ours.push((await scripted.send({ peers: { full: [...peers] }, acl: { full: terms } })).took_ms);
    theirs.push(await raw.load(peers, terms));
  }
  return against(`from none to ${named(peers)}, read back and reported`, ours, theirs);
}

/** A peer gets another key, at an endpoint where `ear` sees the handshakes. */
async function oneKey({ scripted, raw, ear }: Scene, peers: readonly Peer[]): Promise<Row[]> {
  const index = peers.length >>> 1;
  const endpoints = [`${scripted.lab.node('peer').address}:${EAR_PORT}`];
  let before = peers[index] as Peer;
  const [flows, reported_ms, theirs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < CHANGES; round++) {
    const changed = peerOf(index, { endpoints });
    await pause(SETTLES_MS);
    const { from, took_ms } = await scripted.send({ peers: { upsert: [changed] } });
    await until(() => ear.heardSince(from) !== undefined, 'the peer is called');
    flows.push((ear.heardSince(from) ?? Number.NaN) - from);
    reported_ms.push(took_ms);
    await pause(SETTLES_MS);
    theirs.push(await raw.replaceKey(before, changed));
    before = changed;
  }
  const what = `the key of one of ${named(peers)}`;
  return [
    { ...against(`${what}, its handshake sent`, flows, theirs), aim: '≤ 2 ×' },
    { ...against('  … read back and reported', reported_ms, theirs), aim: '≤ 3 ×' },
  ];
}

/** A peer may ping and may not, again and again. */
async function oneGrant({ scripted, raw, pings }: Scene, peers: readonly Peer[]): Promise<Row[]> {
  const terms = peers.map((_, index) => termsOf(index));
  const set = (kind: number) => {
    const changed = termsOf(0, kind);
    terms[0] = changed;
    return scripted.send({ acl: { upsert: [changed] } });
  };
  const [flows, reported_ms, theirs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < CHANGES; round++) {
    await set(DOES_NOT_PING);
    await raw.setTerms(peers, terms);
    await until(() => now() - pings.last_ms > QUIET_MS, 'pings are turned away');
    await pause(SETTLES_MS);
    const { from, took_ms } = await set(PINGS);
    await until(() => pings.firstAfter(from) !== undefined, 'a ping is answered');
    flows.push((pings.firstAfter(from) ?? Number.NaN) - from);
    reported_ms.push(took_ms);
    await pause(SETTLES_MS);
    theirs.push(await raw.setTerms(peers, terms));
  }
  const what = `the grants of one of ${named(peers)}`;
  return [
    { ...against(`${what}, first packet through`, flows, theirs), aim: '≤ 2 ×' },
    { ...against('  … read back and reported', reported_ms, theirs), aim: '≤ 3 ×' },
  ];
}

function named(peers: readonly Peer[]): string {
  return `${peers.length.toLocaleString('en')} peers`;
}

function against(what: string, ours: readonly number[], theirs: readonly number[]): Row {
  return { what, value: median(ours), unit: 'ms', against: { what: BY_HAND, value: median(theirs) } };
}
