import { MESH_INTERFACE } from '@meshwork/contract';
import { type LabNode, type Place, ProgramFailed } from '@meshwork/lab';
import { onAllCores } from '../all-cores.ts';
import { BenchLab } from '../bench-lab.ts';
import { median, type Row } from '../measure.ts';
import { RawWireguard, rawPair } from '../raw-tunnel.ts';
import { listenForTraffic, roundTripUs, sendFor } from '../traffic.ts';
import { until } from '../until.ts';
import { processIn, usageOf } from '../usage.ts';

const ROUNDS = 10;
const SECONDS = 2;
const PINGS = 500;
const BY_HAND = {
  bare: 'WireGuard by hand, no packet filter',
  filtered: 'WireGuard by hand, with a filter that tracks connections',
};
const WHO = ['ours', 'bare', 'filtered'] as const;
type Who = (typeof WHO)[number];

type Ways = Readonly<Record<Who, Way>>;

interface Way {
  readonly from: LabNode;
  readonly to: LabNode;
  readonly address: string;
}

/**
 * What the agent's tunnel carries between two nodes, against WireGuard that was set up with `wg` and `ip` between others of
 * the same lab: the same engine, the same switch, the same MTU. Two of them have no packet filter at all; two have a
 * minimal stateful one, which separates the cost of ours from that of any such filter.
 */
export function tunnelSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    await using mesh = await BenchLab.start(['a', 'b', 'raw-a', 'raw-b', 'raw-c', 'raw-d']);
    await using open = new AsyncDisposableStack();
    await mesh.allow([{ from: 'everyone', to: 'everyone', allow: ['*'] }]);
    for (const name of ['a', 'b']) await mesh.join(name);
    const ways: Ways = {
      ours: { from: mesh.node('a'), to: mesh.node('b'), address: await mesh.address('b') },
      bare: await byHand(mesh, open, ['raw-a', 'raw-b'], false),
      filtered: await byHand(mesh, open, ['raw-c', 'raw-d'], true),
    };
    for (const { from, to, address } of Object.values(ways)) {
      await until(() => answers(from, address), `${address} answers`);
      open.use(await listenForTraffic(to, address));
    }
    const trips = await inTurns(ways, ({ from, address }) => roundTripUs(from, address, PINGS));
    return [
      ...(await throughput(ways)),
      ...rows(
        'round trip between two nodes',
        middle(trips, (one) => one),
        { unit: 'µs', aim: '≤ 1.02' },
      ),
    ];
  });
}

async function byHand(
  mesh: BenchLab,
  open: AsyncDisposableStack,
  names: [string, string],
  filter: boolean,
): Promise<Way> {
  const one = open.use(await RawWireguard.start(mesh.node(names[0])));
  const other = open.use(await RawWireguard.start(mesh.node(names[1])));
  const address = await rawPair(one, other, await mtuOf(mesh));
  if (filter) for (const raw of [one, other]) await raw.filter();
  return { from: one.place, to: other.place, address };
}

/** By the clock, and by the processor time of all who carry it, which tells more on a machine that does other things too. */
async function throughput(ways: Ways): Promise<Row[]> {
  const sent = await inTurns(ways, send);
  const what = 'one TCP connection between two nodes';
  return [
    ...rows(
      what,
      middle(sent, ({ per_s }) => per_s),
      { unit: 'Mbit/s', aim: '≥ 0.98' },
    ),
    ...rows(
      `${what}, by what it costs`,
      middle(sent, ({ per_cpu_s }) => per_cpu_s),
      { unit: 'Mbit/CPU s', aim: '≥ 0.98' },
    ),
  ];
}

/** The state of the machine changes between two runs, so the ways take turns at being first. */
async function inTurns<T>(ways: Ways, measure: (way: Way) => Promise<T>): Promise<Record<Who, T[]>> {
  const found: Record<Who, T[]> = { ours: [], bare: [], filtered: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < WHO.length; turn++) {
      const who = WHO[(round + turn) % WHO.length] ?? 'ours';
      found[who].push(await measure(ways[who]));
    }
  }
  return found;
}

function middle<T>(found: Record<Who, T[]>, of: (one: T) => number): Record<Who, number> {
  const one = (who: Who) => median(found[who].map(of));
  return { ours: one('ours'), bare: one('bare'), filtered: one('filtered') };
}

interface Sent {
  readonly per_s: number;
  readonly per_cpu_s: number;
}

async function send({ from, to, address }: Way): Promise<Sent> {
  const engines = await Promise.all([from, to].map((node) => processIn(node, 'wireguard-go')));
  const used = async () => (await Promise.all(engines.map(usageOf))).reduce((sum, { cpu_s }) => sum + cpu_s, 0);
  const before = await used();
  const { megabits, seconds, cpu_s } = await sendFor(SECONDS, from, address);
  return { per_s: megabits / seconds, per_cpu_s: megabits / (cpu_s + (await used()) - before) };
}

function rows(what: string, { ours, ...others }: Record<Who, number>, more: { unit: string; aim: string }): Row[] {
  return (['bare', 'filtered'] as const).map((who) => {
    return { what, value: ours, against: { what: BY_HAND[who], value: others[who] }, ...more };
  });
}

async function mtuOf(mesh: BenchLab): Promise<number> {
  const text = await mesh.node('a').exec('ip', ['-j', 'link', 'show', MESH_INTERFACE]);
  const [link] = JSON.parse(text) as { readonly mtu: number }[];
  if (link === undefined) throw new Error(`there is no ${MESH_INTERFACE}`);
  return link.mtu;
}

async function answers(from: Place, to: string): Promise<boolean> {
  try {
    await from.exec('ping', ['-c', '1', '-W', '1', to]);
    return true;
  } catch (error) {
    if (error instanceof ProgramFailed && error.exit === 1) return false; // no answer
    throw error;
  }
}
