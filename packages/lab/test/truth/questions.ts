/** What is asked of explain. */
import type { Random } from '../seeded.ts';
import { BEHIND, NAMES, PORTS, SERVICES, SUBNET, UDP_PORTS } from './roster.ts';
import { bare, type World } from './world.ts';

export interface Question {
  readonly from: string;
  readonly about: About;
  /** `tcp:7001`, `udp:7001` or `icmp`. Null: the port of the service. */
  readonly port: string | null;
}

type About =
  | { readonly kind: 'name'; readonly node: string }
  | { readonly kind: 'address'; readonly node: string; readonly family: 4 | 6 }
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'behind' }
  /** The address that a provider has in its network. */
  | { readonly kind: 'leg'; readonly node: string }
  /** An address of a node that was removed, or of none. */
  | { readonly kind: 'former' }
  | { readonly kind: 'underlay'; readonly node: string }
  | { readonly kind: 'loopback' };

/** `nodes`: those that most questions of this lot are about. Empty: any. */
export function randomQuestion(random: Random, nodes: readonly string[]): Question {
  const near = () => (nodes.length > 0 && random() < 0.75 ? random.pick(nodes) : random.pick(NAMES));
  const [one, other] = [near(), random.pick(NAMES)];
  const [from, to] = random() < 0.5 ? [one, other] : [other, one];
  const kind = random.weighted<About['kind']>([
    [5, 'name'],
    [5, 'address'],
    [1, 'service'],
    [2.5, 'behind'],
    [1.5, 'leg'],
    [0.3, 'former'],
    [0.3, 'underlay'],
    [0.2, 'loopback'],
  ]);
  const port = random.weighted([
    [8, `tcp:${random.pick(PORTS)}`],
    // A program that answers for all addresses of its host answers from the one in the mesh, and its client expects the other one.
    [kind === 'leg' ? 0 : 1.2, `udp:${random.pick(UDP_PORTS)}`],
    [0.8, 'icmp'],
  ]);
  const about = aboutOf(random, kind, to);
  return { from, about, port: about.kind === 'service' ? null : port };
}

function aboutOf(random: Random, kind: About['kind'], node: string): About {
  switch (kind) {
    case 'name':
    case 'underlay':
      return { kind, node };
    case 'address':
      return { kind, node, family: random.pick([4, 6] as const) };
    case 'service':
      return { kind, name: random.pick(SERVICES) };
    case 'leg':
      return { kind, node: random.pick(SUBNET.providers) };
    default:
      return { kind };
  }
}

/** The mesh does not decide these, so that unknown is the right answer. */
export function isOutside({ about }: Question): boolean {
  return about.kind === 'underlay' || about.kind === 'loopback';
}

/** What is asked, as text of the query. */
export function destinationOf(world: World, { about }: Question): string {
  switch (about.kind) {
    case 'name':
      return about.node;
    case 'address':
      return bare(about.family === 4 ? world.node(about.node).address : world.node(about.node).address6);
    case 'service':
      return `service:${about.name}`;
    case 'behind':
      return BEHIND.address;
    case 'leg':
      return legOf(world, about.node);
    case 'former':
      return [...world.forgotten][0] ?? '100.64.200.200';
    case 'underlay':
      return world.host(about.node).address;
    case 'loopback':
      return '127.0.0.1';
  }
}

function legOf(world: World, node: string): string {
  const leg = world.scene.lab.plan.subnets[0]?.providers.find((provider) => provider.node === node);
  if (leg === undefined) throw new Error(`${node} has no leg in the subnet`);
  return leg.address;
}

/** The nodes that the packets of a question may pass. */
export function nodesOf({ from, about }: Question, answered: string): string[] {
  if (about.kind === 'behind' || about.kind === 'leg') return [...new Set([from, answered, ...SUBNET.providers])];
  return [...new Set([from, 'node' in about ? about.node : answered, answered])];
}

export function wordsOf(world: World, question: Question): string {
  return `${question.from} -> ${destinationOf(world, question)} ${question.port ?? ''} (by ${question.about.kind})`;
}
