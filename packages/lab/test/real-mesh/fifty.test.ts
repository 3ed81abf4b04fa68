/** Fifty nodes, each a peer of all others: every granted pair talks, and no other. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { atATime } from '../../src/at-a-time.ts';
import { labNodes } from '../../src/namespaces/index.ts';
import { Scene } from '../lab-scene.ts';
import { type Random, seeded } from '../seeded.ts';
import { until } from '../until.ts';
import { untilInSync } from './standing.ts';

const ROLES = { web: 20, db: 10, edge: 15, ops: 5 } as const;
type Role = keyof typeof ROLES;
const PORTS = [22, 80, 5432];
/** Who may reach whom, beside pings, which every node may send to every other: so all are peers of all. */
const OPEN: Readonly<Record<number, (from: Role, to: Role) => boolean>> = {
  22: (from) => from === 'ops',
  80: (from, to) => from === 'edge' && to === 'web',
  5432: (from, to) => from === 'web' && to === 'db',
};
const POLICY = {
  groups: { all: ['*'], ...Object.fromEntries(Object.keys(ROLES).map((role) => [role, [`tag:role:${role}`]])) },
  grants: [
    { from: 'all', to: 'all', allow: ['icmp'] },
    { from: 'ops', to: 'all', allow: ['tcp:22'] },
    { from: 'edge', to: 'web', allow: ['tcp:80'] },
    { from: 'web', to: 'db', allow: ['tcp:5432'] },
  ],
};
const NODES = (Object.keys(ROLES) as Role[]).flatMap((role) =>
  Array.from({ length: ROLES[role] }, (_, index) => ({ role, name: `${role}-${index + 1}`, tags: [`role:${role}`] })),
);
const SEED = Number(process.env.MESH_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
const DENIED_PROBES = 600;
const DENIED_MS = 1_000;
/** Ours: what a busy machine with two cores may take for what it does fifty times. */
const PATIENT_MS = 30_000;
const AT_A_TIME = 10;

interface Probe {
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

describe('fifty nodes', () => {
  let scene: Scene;
  const addresses = new Map<string, string>();
  let up_s = 0;

  before(async () => {
    const began = performance.now();
    scene = await Scene.start({ nodes: NODES });
    await scene.client.call('acls.replace', { body: JSON.stringify(POLICY) });
    for (const { name, address } of await labNodes(scene.lab, scene.client))
      addresses.set(name, address.replace('/32', ''));
    up_s = (performance.now() - began) / 1000;
    await atATime(AT_A_TIME, NODES, async ({ name }) => {
      for (const port of PORTS) await scene.prober(name).listen(port);
      await untilInSync(scene, [name]);
    });
  });
  after(() => scene?.[Symbol.asyncDispose]());

  test('each has a handshake with all others', async (context) => {
    const missing = new Map<string, number>();
    await until(
      async () => {
        await atATime(AT_A_TIME, NODES, async ({ name }) => {
          if (missing.get(name) === 0) return;
          const lines = (await scene.lab.node(name).exec('wg', ['show', 'mesh0', 'latest-handshakes'])).trim();
          const shaken = lines.split('\n').filter((line) => !line.endsWith('\t0')).length;
          missing.set(name, NODES.length - 1 - shaken);
        });
        return [...missing.values()].every((count) => count === 0);
      },
      () => `handshakes are missing: ${JSON.stringify(Object.fromEntries(missing))}`,
      120_000,
    );
    context.diagnostic(`${NODES.length} nodes were enrolled and sent a heartbeat within ${up_s.toFixed(1)} s`);
    const agents = await memoryOf(scene);
    context.diagnostic(`agents ${agents.node} MB, WireGuard ${agents['wireguard-go']} MB together`);
  });

  test('every granted pair talks', async () => {
    const granted = allProbes().filter(isGranted);
    assert.equal(granted.length, 5 * 49 + 15 * 20 + 20 * 10);
    assert.deepEqual(await otherThan('connected', granted, PATIENT_MS), []);
  });

  test('no other pair does, and each that tries is counted as denied', async () => {
    const random = seeded(SEED);
    const denied = sample(
      random,
      allProbes().filter((probe) => !isGranted(probe)),
      DENIED_PROBES,
    );
    const before = await deniedPackets(scene);
    assert.deepEqual(await otherThan('timed out', denied, DENIED_MS), [], `with the seed ${SEED}`);
    let uncounted: string[] = [];
    await until(
      async () => {
        const now = await deniedPackets(scene); // on a busy machine some are still on their way
        uncounted = NODES.flatMap(({ name }) => {
          const tried = denied.filter(({ to }) => to === name).length;
          const counted = (now.get(name) ?? 0) - (before.get(name) ?? 0);
          return counted >= tried ? [] : [`${name} denied ${counted} packets of ${tried} connections`];
        });
        return uncounted.length === 0;
      },
      () => `all are counted: ${uncounted.join(', ')}, with the seed ${SEED}`,
    );
  });

  /** All at the same time. Answers with those that did not come to what they should. */
  async function otherThan(wanted: string, probes: readonly Probe[], timeout_ms: number): Promise<string[]> {
    const found = await Promise.all(
      probes.map(async ({ from, to, port }) => {
        const { outcome } = await scene.prober(from).connect(addresses.get(to) ?? '', port, { timeout_ms });
        return outcome === wanted ? [] : [`${from} to ${to} port ${port}: ${outcome}`];
      }),
    );
    return found.flat();
  }
});

function allProbes(): Probe[] {
  const pairs = NODES.flatMap((from) =>
    NODES.filter((to) => to !== from).map((to) => ({ from: from.name, to: to.name })),
  );
  return pairs.flatMap((pair) => PORTS.map((port) => ({ ...pair, port })));
}

function isGranted({ from, to, port }: Probe): boolean {
  return OPEN[port]?.(roleOf(from), roleOf(to)) === true;
}

function roleOf(name: string): Role {
  return name.slice(0, name.indexOf('-')) as Role;
}

function sample<T>(random: Random, items: readonly T[], count: number): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] as T);
}

async function deniedPackets({ lab }: Scene): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>();
  await atATime(AT_A_TIME, NODES, async ({ name }) => {
    const text = await lab.node(name).exec('nft', ['list', 'counter', 'inet', 'mesh', 'denied_in']);
    counted.set(name, Number(/packets (\d+)/.exec(text)?.[1]));
  });
  return counted;
}

/** By program, in MB. What processes share is counted once. */
async function memoryOf({ lab }: Scene): Promise<Record<string, number>> {
  const kilobytes: Record<string, number> = {};
  for (const { namespace } of lab.nodes.values()) {
    const pids = (await lab.place('net').exec('ip', ['netns', 'pids', namespace])).trim().split('\n');
    for (const pid of pids) {
      const files = await Promise.all(['comm', 'cmdline', 'smaps_rollup'].map((file) => fileOf(pid, file)));
      const [program = '', line = '', memory = ''] = files;
      const isProber = line.includes('lab-probe-process');
      const pss = /^Pss:\s+(\d+) kB$/m.exec(memory)?.[1] ?? 0;
      const key = isProber ? 'prober' : program.trim() === 'wireguard-go' ? 'wireguard-go' : 'node';
      kilobytes[key] = (kilobytes[key] ?? 0) + Number(pss);
    }
  }
  return Object.fromEntries(Object.entries(kilobytes).map(([program, kb]) => [program, Math.round(kb / 1024)]));
}

/** Of one that has just ended, as what an agent runs soon has: nothing. */
async function fileOf(pid: string, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
