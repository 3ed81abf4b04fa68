import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  Carrier,
  nextEvent,
  pings,
  RELAYS,
  RelayScene,
  setEndpoint,
  setWays,
  startBare,
  startDaemon,
} from '@meshwork/agent/testing/relayed';
import { onAllCores } from '../all-cores.ts';
import { median, type Row } from '../measure.ts';
import { usageOf } from '../usage.ts';

const ROUNDS = 5;
const SECONDS = 3;
const IDLE_S = 20;
const BUILD = resolve(import.meta.dirname, '../../../packages/cli/src/build-agent.ts');
/** The smallest segments that TCP has: the packets of the tunnel are as small as a call's. */
const SMALL = ['-M', '88'];
const CUT = `table inet cut {
  chain in {
    type filter hook input priority 0
    ip daddr ${RELAYS[0]} udp dport 3478 drop
  }
}
`;
const WAYS = ['carrier', 'bare', 'direct'] as const;
const BARE = 'a bare client of TURN, the same relay';
const DIRECT = 'WireGuard alone, no relay';

/**
 * Two nodes that only a relay joins: what the carrier moves, against the least that could move it and against no relay at
 * all, in the same namespaces and in turns. Then what idle links cost, from the bundle as agents run it.
 */
export async function carrierSuite(): Promise<Row[]> {
  const used = [...(await onAllCores(movedRows)), ...(await onAllCores(lossRows))];
  return [...used, ...(await idleRows(1000)), ...(await idleRows(10_000))];
}

async function movedRows(): Promise<Row[]> {
  await using scene = await RelayScene.build();
  await using bare = await startBare(scene);
  const { one, two } = scene;
  await scene.forward(true);
  const server = two.place.spawn('iperf3', ['-s', '-B', '100.64.0.2']);
  server.stdout?.resume();
  const carry = await carrying(scene);
  const use: Readonly<Record<(typeof WAYS)[number], () => Promise<void>>> = {
    carrier: carry,
    bare: () => bare.use(),
    direct: async () => {
      await setEndpoint(one, two, `${two.outside}:51820`);
      await setEndpoint(two, one, `${one.outside}:51820`);
    },
  };
  const [megabits, packets] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const way of WAYS) {
      await settle(scene, use[way]);
      const [stream, small] = [await flow(scene, []), await flow(scene, SMALL)];
      if (round === 0) continue; // both are warm before anything counts
      megabits.set(way, [...(megabits.get(way) ?? []), stream.megabits_s]);
      packets.set(way, [...(packets.get(way) ?? []), small.packets_s]);
    }
  }
  const row = (
    what: string,
    unit: string,
    of: Map<string, number[]>,
    against: 'bare' | 'direct',
    aim?: string,
  ): Row => ({
    what,
    unit,
    value: median(of.get('carrier') ?? []),
    against: { what: against === 'bare' ? BARE : DIRECT, value: median(of.get(against) ?? []) },
    ...(aim === undefined ? {} : { aim }),
  });
  return [
    row('one TCP stream through a relay', 'Mbit/s', megabits, 'bare', '≥ 0.9'),
    row('one TCP stream through a relay', 'Mbit/s', megabits, 'direct'),
    row('small packets through a relay', 'a second', packets, 'bare', '≥ 0.9'),
    row('small packets through a relay', 'a second', packets, 'direct'),
  ];
}

/** A packet that is still on its way takes WireGuard back to where it came from: until both stay where they are put. */
async function settle({ one, two }: RelayScene, use: () => Promise<void>): Promise<void> {
  const places = async () => {
    const [seen, seenBack] = [await one.driver.read(), await two.driver.read()];
    return `${seen?.peers.get(two.key.public)?.endpoint} ${seenBack?.peers.get(one.key.public)?.endpoint}`;
  };
  for (;;) {
    await use();
    const wanted = await places();
    if ((await pings(one, two, 20)) === 20 && (await places()) === wanted) return;
  }
}

/** Answers with what makes both nodes use their carriers. */
async function carrying(scene: RelayScene): Promise<() => Promise<void>> {
  const { one, two } = scene;
  const first = await one.carrier.ask('allocate', scene.wanted('home', RELAYS[0], 'udp'));
  const second = await two.carrier.ask('allocate', scene.wanted('home', RELAYS[0], 'udp'));
  return async () => {
    await setWays(one, two, [{ via: 'home', to: second.relayed }]);
    await setWays(two, one, [{ via: 'home', to: first.relayed }]);
  };
}

/** One TCP connection, as it arrives: what it carries, and how many packets of the tunnel that takes. */
async function flow(
  scene: RelayScene,
  args: readonly string[],
  tries = 5,
): Promise<{ megabits_s: number; packets_s: number }> {
  const { one, two } = scene;
  const before = await packetsAt(two.place);
  const text = await one.place.run('iperf3', ['-c', '100.64.0.2', '-t', String(SECONDS), '-J', ...args]);
  const { end, error } = JSON.parse(text) as { end: { sum_received?: Received }; error?: string };
  if (end.sum_received === undefined) {
    if (tries > 1) return flow(scene, args, tries - 1); // the server has not noticed yet that the last one ended
    throw new Error(`iperf3 says: ${error}`);
  }
  const { bits_per_second, seconds } = end.sum_received;
  return { megabits_s: bits_per_second / 1e6, packets_s: ((await packetsAt(two.place)) - before) / seconds };
}

interface Received {
  readonly bits_per_second: number;
  readonly seconds: number;
}

async function packetsAt({ run }: RelayScene['one']['place']): Promise<number> {
  const [link] = JSON.parse(await run('ip', ['-json', '-stats', 'link', 'show', 'dev', 'mesh0'])) as [
    { stats64: { rx: { packets: number } } },
  ];
  return link.stats64.rx.packets;
}

/** How soon the loss of an allocation is reported: the relay is killed, or no packet reaches it any more. */
async function lossRows(): Promise<Row[]> {
  await using scene = await RelayScene.build();
  const { one, two } = scene;
  const times = new Map<string, number[]>();
  const time = async (what: string, allocation: string, end: () => Promise<unknown>) => {
    const lost = nextEvent(one, 'allocation_lost', (facts) => facts.allocation === allocation);
    await end();
    const from = performance.now();
    await lost;
    times.set(what, [...(times.get(what) ?? []), performance.now() - from]);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const { relayed } = await two.carrier.ask('allocate', scene.wanted(`home-${round}`, RELAYS[0], 'udp'));
    await one.carrier.ask('allocate', scene.wanted('used', RELAYS[0], 'udp'));
    await setWays(one, two, [{ via: 'used', to: relayed }]);
    const running = pings(one, two, 100);
    await time('over UDP, in use, the network is cut', 'used', () => scene.hub.run('nft', ['-f', '-'], { input: CUT }));
    await running;
    await scene.hub.run('nft', ['delete', 'table', 'inet', 'cut']);
    await one.carrier.ask('allocate', scene.wanted('idle', RELAYS[0], 'udp'));
    await time('over UDP, idle, the network is cut', 'idle', () => scene.hub.run('nft', ['-f', '-'], { input: CUT }));
    await scene.hub.run('nft', ['delete', 'table', 'inet', 'cut']);
    await one.carrier.ask('allocate', scene.wanted('tcp', RELAYS[0], 'tcp'));
    await time('over TCP, the relay is killed', 'tcp', () => scene.killRelay(RELAYS[0]));
    await scene.startRelay(RELAYS[0]);
    await two.carrier.ask('release', { allocation: `home-${round}` });
  }
  return [...times].map(([what, ms]) => ({
    what: `a lost allocation is reported: ${what}`,
    value: median(ms),
    unit: 'ms',
  }));
}

async function idleRows(links: number): Promise<Row[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-carrier-'));
  const bundle = join(folder.path, 'bundle');
  await promisify(execFile)(process.execPath, [BUILD, bundle]);
  const script = join(bundle, 'carrier-process.js');
  const carrier = new Carrier({
    run_folder: folder.path,
    start: (program) =>
      startDaemon({
        ...program,
        args: program.args.map((arg) => (arg.endsWith('carrier-process.ts') ? script : arg)),
      }),
  });
  try {
    await carrier.ensure();
    await carrier.ask('open', { node: 'node', wireguard_port: 51_820 });
    const pid = Number(await readFile(join(folder.path, 'carrier.pid'), 'utf8'));
    const bareMemory = (await usageOf(pid)).own_mb;
    for (let at = 0; at < links; at += 1000) await carrier.ask('links', { set: someLinks(at, 1000), remove: [] });
    await pause(1000);
    const before = await usageOf(pid);
    await pause(IDLE_S * 1000);
    const after = await usageOf(pid);
    const what = `a carrier with ${links.toLocaleString('en')} idle links`;
    return [
      { what: `${what}: own memory`, value: after.own_mb, unit: 'MB', against: { what: 'none', value: bareMemory } },
      { what: `${what}: processor time`, value: ((after.cpu_s - before.cpu_s) / IDLE_S) * 1000, unit: 'ms/s' },
    ];
  } finally {
    await carrier.remove();
  }
}

/** As an agent has them: with a key each, and the two places of its relays. */
function someLinks(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const key = number.toString(16).padStart(64, '0');
    const place = (address: string) => ({ address, port: 10_000 + number });
    return { peer: `node_${number}`, places: [place(RELAYS[0]), place(RELAYS[1])], key };
  });
}
