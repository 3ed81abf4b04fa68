/** What happens to a mesh. Each fault is of one node, and most can be mended. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@meshwork/client';
import { COORDINATOR } from '../../src/namespaces/plan/lab-spec.ts';
import type { Random } from '../seeded.ts';
import { NAMES, PARTED, SUBNET } from './explain-roster.ts';
import type { World } from './explain-world.ts';

type FaultName = keyof typeof FAULTS;

export interface Fault {
  readonly fault: FaultName;
  readonly node: string;
}

interface Course {
  begin(world: World, node: string): Promise<void>;
  /** Absent: it is over as soon as it has happened. */
  mend?(world: World, node: string): Promise<void>;
}

type OnNode = 'nodes.quarantine' | 'nodes.release' | 'nodes.drain' | 'nodes.undrain' | 'nodes.rekey';

const ask = (operation: OnNode) => (world: World, node: string) =>
  patiently(async () => {
    await world.scene.client.call(operation, { params: { id: world.node(node).id }, body: {} });
  });

const approve = (approved: readonly string[]) => (world: World, node: string) =>
  patiently(async () => {
    const { id } = world.node(node);
    const body = { approved: [...approved], shared: [...approved] };
    await world.scene.client.call('nodes.approve_routes', { params: { id }, body });
  });

const stopBy = (signal: 'SIGTERM' | 'SIGKILL') => async (world: World, node: string) => {
  world.silent.add(node);
  await world.scene.lab.node(node).agent.stop(signal);
};

const startAgain = async (world: World, node: string) => {
  world.silent.delete(node);
  await world.scene.lab.node(node).agent.start();
};

const FAULTS = {
  stop: { begin: stopBy('SIGTERM'), mend: startAgain },
  kill: { begin: stopBy('SIGKILL'), mend: startAgain },
  part: {
    begin: async (world, node) => {
      world.silent.add(node);
      await world.scene.lab.cut(node, COORDINATOR);
    },
    mend: async (world, node) => {
      world.silent.delete(node);
      await world.scene.lab.mend(node, COORDINATOR);
    },
  },
  quarantine: { begin: ask('nodes.quarantine'), mend: ask('nodes.release') },
  drain: { begin: ask('nodes.drain'), mend: ask('nodes.undrain') },
  withdraw: { begin: approve([]), mend: approve([SUBNET.cidr]) },
  rekey: { begin: ask('nodes.rekey') },
  replace: { begin: (world, node) => world.replace(node) },
  restart: { begin: (world) => world.scene.mesh.restart('SIGKILL') },
} as const satisfies Record<string, Course>;

/** Of these nodes, each has one fault at most: those whose link grows old keep out of it. */
export function randomFaults(random: Random, present: readonly Fault[]): Fault[] {
  const free = NAMES.filter(
    (name) => !PARTED.some((one) => one === name) && !present.some(({ node }) => node === name),
  );
  const faults: Fault[] = [];
  for (let left = 1 + random.below(2); left > 0 && free.length > 0; left--) {
    const [node = ''] = free.splice(random.below(free.length), 1);
    const isProvider = SUBNET.providers.some((provider) => provider === node);
    faults.push({ node, fault: random.weighted(isProvider ? [...KINDS, [6, 'withdraw']] : KINDS) });
  }
  return faults;
}

const KINDS: readonly (readonly [number, FaultName])[] = [
  [2, 'stop'],
  [1, 'kill'],
  [2, 'part'],
  [3, 'quarantine'],
  [2, 'drain'],
  [2, 'rekey'],
  [2, 'replace'],
  [2, 'restart'],
];

export async function begin(world: World, { fault, node }: Fault): Promise<void> {
  await FAULTS[fault].begin(world, node);
}

export function lasts({ fault }: Fault): boolean {
  return 'mend' in FAULTS[fault];
}

export async function mend(world: World, { fault, node }: Fault): Promise<void> {
  const course: Course = FAULTS[fault];
  await course.mend?.(world, node);
}

const PATIENCE_MS = 20_000;

/** An operation on a node may have to wait for the one before it to be proven. */
async function patiently(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'operation_in_progress';
      if (!isBusy || performance.now() > deadline) throw error;
      await pause(100);
    }
  }
}
