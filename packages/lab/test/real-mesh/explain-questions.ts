/** What is asked of explain, and the connections that show whether the answer is true. */
import type { Explanation } from '@meshwork/contract';
import type { Random } from '../seeded.ts';
import { BEHIND, isCut, NAMES, PORTS, SERVICES, SUBNET } from './explain-roster.ts';
import { bare, type World } from './explain-world.ts';

export interface Question {
  readonly from: string;
  /** As it is asked. */
  readonly to: string;
  /** Absent: that of the service. */
  readonly port?: number;
  readonly about:
    | { readonly kind: 'node'; readonly name: string; readonly host: string }
    | { readonly kind: 'service'; readonly name: string }
    /** `place`: who has the address. */
    | { readonly kind: 'behind'; readonly host: string; readonly place: string }
    /** An address that no node has any more. */
    | { readonly kind: 'former'; readonly host: string };
}

export function randomQuestion(random: Random, world: World): Question {
  const from = random.pick(NAMES);
  const port = random.pick(PORTS);
  const kind = random.weighted([
    [5, 'name'],
    [2, 'v4'],
    [3, 'v6'],
    [1, 'service'],
    [3, 'behind'],
    [1.5, 'provider'],
    [0.3, 'former'],
  ] as const);
  const node = world.node(random.pick(NAMES));
  switch (kind) {
    case 'name':
      return { from, to: node.name, port, about: { kind: 'node', name: node.name, host: bare(node.address) } };
    case 'v4':
    case 'v6': {
      const host = bare(kind === 'v4' ? node.address : node.address6);
      return { from, to: host, port, about: { kind: 'node', name: node.name, host } };
    }
    case 'service': {
      const name = random.pick(SERVICES);
      return { from, to: `service:${name}`, about: { kind: 'service', name } };
    }
    case 'behind':
      return { from, to: BEHIND.address, port, about: { kind: 'behind', host: BEHIND.address, place: BEHIND.place } };
    case 'provider': {
      const at = random.below(SUBNET.providers.length);
      const host = `10.50.0.${2 + at}`;
      return { from, to: host, port, about: { kind: 'behind', host, place: SUBNET.providers[at] ?? '' } };
    }
    case 'former': {
      const [host = '100.64.200.200'] = world.forgotten;
      return { from, to: host, port, about: { kind: 'former', host } };
    }
  }
}

export async function explained({ scene }: World, { from, to, port }: Question): Promise<Explanation> {
  const query = { from, to, ...(port === undefined ? {} : { port: `tcp:${port}` }) };
  return (await scene.client.call('acls.explain', { query })).body;
}

/** A connection that an answer is about. */
export interface Goal {
  readonly host: string;
  readonly port: number;
  /** Where it arrives. Null: nowhere. */
  readonly place: string | null;
}

/** An explanation that a service is not reached holds for every node that offers it. */
export function goalsOf(world: World, { from, port = 0, about }: Question, answer: Explanation): Goal[] {
  if (about.kind === 'node') return [{ host: about.host, port, place: about.name }];
  if (about.kind === 'behind') return [{ host: about.host, port, place: about.place }];
  if (about.kind === 'former') return [{ host: about.host, port, place: null }];
  const offering = world.nodes.flatMap(({ id, name, address, service_bindings }) =>
    service_bindings
      .filter((binding) => binding.name === about.name)
      .map((binding) => ({ id, host: bare(address), port: binding.port, place: name })),
  );
  const others = offering.filter(({ place }) => place !== from);
  if (answer.verdict === 'denied') return others;
  return offering.filter(({ id }) => id === answer.to.id);
}

/** Nothing gets through a link that is cut; who knows of it when is another matter. */
export function leadsOverCut({ from }: Question, { to }: Explanation): boolean {
  return isCut(from, to.name);
}

/** Why the answer cannot be known, as far as the test knows. Undefined: everything is known that has to be. */
export function excuseFor(world: World, question: Question, answer: Explanation): string | undefined {
  const { from, about } = question;
  const target = answer.to.name;
  if (about.kind === 'former') return 'no node there';
  if ([from, target].some((name) => world.silent.has(name))) return 'silent node';
  if (leadsOverCut(question, answer)) return 'cut link';
  const port = Number(answer.port.replace('tcp:', ''));
  const endsThere = about.kind !== 'behind' || about.place === target;
  if (endsThere && world.isFailing(target, port)) return 'failing service';
  if (target === from && world.node(from).state === 'quarantined') return 'itself, and not in the mesh';
  if (about.kind !== 'behind') return undefined;
  if (SUBNET.providers.some((name) => name === from)) return 'own network';
  const forwarding = world.nodes.filter(({ routes_provided }) => routes_provided.includes(SUBNET.cidr));
  return forwarding.length > 1 ? 'two providers' : undefined;
}
