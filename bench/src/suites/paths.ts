import { setTimeout } from 'node:timers/promises';
import { MeshOfSites, RelayedSites, tryPair } from '@meshwork/lab/testing/sites';
import { onAllCores } from '../all-cores.ts';
import { median, type Row } from '../measure.ts';

/** By the sites of `EVERY_SITE`, what stands between their node and the others. */
const OUTLOOKS: Readonly<Record<string, string>> = {
  'pub-1': 'no NAT',
  'pub-2': 'no NAT',
  'symmetric-1': 'ports that count',
  'masquerade-random-1': 'ports by chance',
  'masquerade-fully-random-1': 'ports by chance',
  'hard-double-1': 'ports by chance',
  'tcp-only-1': 'no UDP',
  'tcp-443-only-1': 'no UDP',
  'ipv6-only-1': 'IPv6 alone',
};
const EASY = 'one port for all';
const WITHIN_MS = 60_000;
/** Streams on each link, so that a cut finds them at different moments of their own. */
const STREAMS = 4;
const ROUNDS = 10;
/** Between two relays that end: the one that ended before is well again by then. Without it a round measures two failures. */
const CALM_MS = 15_000;
const AIM = 'at most 3 s for 95 of 100';

/** Real agents behind NATs of each kind: how long two take to find each other, and how long a stream stands still when a path ends. */
export async function pathsSuite(): Promise<Row[]> {
  return [...(await onAllCores(pairRows)), ...(await onAllCores(failOverRows))];
}

async function pairRows(): Promise<Row[]> {
  await using mesh = await MeshOfSites.start();
  const kinds = new Map<string, { first: number[]; direct: number[]; pairs: number }>();
  for (const [index, a] of mesh.names.entries()) {
    for (const b of mesh.names.slice(index + 1)) {
      const { first_ms, settled_ms, path } = await tryPair(mesh, [a, b], WITHIN_MS);
      const kind = [a, b]
        .map((name) => OUTLOOKS[name] ?? EASY)
        .sort()
        .join(', ');
      const those = kinds.get(kind) ?? { first: [], direct: [], pairs: 0 };
      kinds.set(kind, those);
      those.pairs += 1;
      those.first.push(first_ms);
      if (path === 'direct') those.direct.push(settled_ms);
    }
  }
  return [...kinds].flatMap(([kind, { first, direct, pairs }]) => [
    { what: `${kind}: first packet (${pairs} pairs)`, value: median(first), unit: 'ms' },
    ...(direct.length === 0
      ? []
      : [{ what: `${kind}: direct path (${direct.length} of ${pairs})`, value: median(direct), unit: 'ms' }]),
  ]);
}

async function failOverRows(): Promise<Row[]> {
  await using sites = await RelayedSites.start();
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => sites.stream('one', 'two')));
  /** How long each stood still meanwhile. */
  const gaps = async (change: () => Promise<unknown>) => {
    for (const stream of streams) await stream.mark();
    await change();
    for (const stream of streams) await stream.untilMoving();
    const states = await Promise.all(streams.map((stream) => stream.state()));
    return states.map((ends) => Math.max(...ends.map(({ gap_ms }) => gap_ms)));
  };
  const rounds = async (round: () => Promise<number[]>) => {
    const all: number[] = [];
    for (let count = 0; count < ROUNDS; count++) all.push(...(await round()));
    return all;
  };
  const { lab } = sites.scene;
  const direct = await rounds(async () => {
    await sites.untilGoes('one', 'two', 'direct');
    const stood = await gaps(async () => {
      await lab.cut('site-1', 'site-2');
      await sites.untilGoes('one', 'two', 'relay');
    });
    await lab.mend('site-1', 'site-2');
    await lab.node('one').agent.stop('SIGTERM'); // one that starts looks for direct paths at once, and not after a minute
    await lab.node('one').agent.start();
    return stood;
  });
  await lab.cut('site-1', 'site-2');
  await sites.untilGoes('one', 'two', 'relay');
  const withoutRelay = (change: (relay: string) => Promise<AsyncDisposable>) =>
    rounds(async () => {
      await setTimeout(CALM_MS);
      await sites.untilSeated();
      const [relay = ''] = await sites.relaysOf('one', 'two');
      await using during = new AsyncDisposableStack();
      return await gaps(async () => {
        during.use(await change(relay));
        await sites.relaysOf('one', 'two', (relays) => !relays.has(relay));
      });
    });
  const hangs = await withoutRelay((relay) => sites.hangRelay(relay));
  const cutOff = await withoutRelay((relay) => sites.cutRelay(relay));
  const killed = await withoutRelay((relay) => sites.killRelay(relay));
  return [
    ...stoodStill('the direct path is cut', direct),
    ...stoodStill('a relay hangs', hangs),
    ...stoodStill('a relay is cut off', cutOff),
    ...stoodStill('a relay is killed', killed),
  ];
}

function stoodStill(what: string, gaps_ms: readonly number[]): Row[] {
  const sorted = gaps_ms.toSorted((a, b) => a - b);
  const late = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  return [
    { what: `${what}: TCP stands still, half of ${sorted.length}`, value: median(sorted), unit: 'ms' },
    { what: `${what}: TCP stands still, 95 of 100`, value: late, unit: 'ms', aim: AIM },
  ];
}
