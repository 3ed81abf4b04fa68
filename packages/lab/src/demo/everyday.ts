import type { SleepingClock } from '@meshwork/time';
import type { Fleet } from '../fleet.ts';
import type { SimulatedNode } from '../simulated-node.ts';
import { NETWORKS } from './roster.ts';

const GATEWAYS: readonly string[] = Object.values(NETWORKS).flat();
const BUSIEST = 9;
const MOST_GUESTS = 2;
/** In seconds. Seldom enough that what a visitor does by hand stands out. */
const MOVE_EVERY = 3;
const GUEST_EVERY = 15;

interface Surroundings {
  readonly clock: SleepingClock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** A visitor may remove anything that it uses; then it reports that and goes on. */
  readonly trouble: (error: unknown) => void;
}

/** What goes on in the demo by itself, until the signal: laptops move, connections come and go, and so do guests. */
export async function everyday(fleet: Fleet, around: Surroundings): Promise<void> {
  const { clock, random, signal, trouble } = around;
  const guests: SimulatedNode[] = [];
  const laptops = fleet.nodes.filter(({ name }) => name.startsWith('laptop-'));
  const gateways = fleet.nodes.filter(({ name }) => GATEWAYS.includes(name));
  const connections = new Map(gateways.map((node) => [node, 0]));
  for (let second = 0; !signal.aborted; second += 1) {
    for (const node of gateways) carry(node, connections, random);
    if (second % MOVE_EVERY === 1) moveOne(fleet, laptops, random);
    if (second % GUEST_EVERY === GUEST_EVERY - 1)
      await comeOrGo(fleet, guests).catch((error: unknown) => signal.aborted || trouble(error));
    await clock.sleep(1000, signal).catch(() => undefined); // the signal, which the loop looks at
  }
}

/** A gateway that takes no new connections loses those it has, one after another, so that a drain comes to its end. */
function carry(node: SimulatedNode, connections: Map<SimulatedNode, number>, random: () => number): void {
  const now = connections.get(node) ?? 0;
  const served = node.view?.sections.ingress ?? [];
  const next = served.every(({ draining }) => draining)
    ? Math.max(0, now - 2)
    : Math.min(BUSIEST, Math.max(1, now + Math.floor(random() * 5) - 2));
  if (next === now) return;
  connections.set(node, next);
  node.plane.setConnections(next);
}

function moveOne(fleet: Fleet, laptops: readonly SimulatedNode[], random: () => number): void {
  const running = laptops.filter((node) => node.running);
  const node = running[Math.floor(random() * running.length)];
  if (node !== undefined) fleet.move(node);
}

async function comeOrGo(fleet: Fleet, guests: SimulatedNode[]): Promise<void> {
  if (guests.length < MOST_GUESTS) {
    guests.push(...(await fleet.join(1)));
    return;
  }
  const [guest] = guests.splice(0, 1);
  if (guest?.running) await fleet.leave([guest]); // else a visitor has removed it before
}
