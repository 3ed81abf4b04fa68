/** What is said of relays in more than one place. */
import type { EventRecord, Relay } from '@meshwork/contract';
import { plural } from '../../ui/plural.ts';
import { bytesText } from '../../ui/quantities.ts';

export function loadWords(load: Relay['load']): string {
  if (load === null) return 'Not reported';
  const { allocations, rx_bytes } = load;
  return `${plural(allocations, 'allocation')}, ${bytesText(rx_bytes)} carried`;
}

/** How far draining is. Null: it is not drained. */
export function drainWords({
  draining,
  nodes,
  standbys,
}: Pick<Relay, 'draining' | 'nodes' | 'standbys'>): string | null {
  if (!draining) return null;
  if (nodes + standbys === 0) return 'No node uses it any more. It can be stopped or deleted.';
  const left = [
    ...(nodes === 0 ? [] : [plural(nodes, 'node')]),
    ...(standbys === 0 ? [] : [`${plural(standbys, 'node')} with it as standby`]),
  ];
  return `${left.join(' and ')} left. A node keeps its place until it receives through its new relay.`;
}

/** What happens to the nodes of a relay that is taken away. `others`: those that remain. */
export function lossWords(
  { name, nodes, standbys }: Pick<Relay, 'name' | 'nodes' | 'standbys'>,
  others: readonly Pick<Relay, 'name' | 'healthy' | 'draining'>[],
): string {
  const works = others.some((other) => other.name !== name && other.healthy && !other.draining);
  if (nodes + standbys === 0) return 'No node uses it.';
  if (!works) return 'No other relay works: nodes without a direct path to each other lose their connections.';
  const moved = nodes === 0 ? [] : [`${plural(nodes, 'node')} ${nodes === 1 ? 'moves' : 'move'} to other relays`];
  const replaced =
    standbys === 0 ? [] : [`${plural(standbys, 'node')} ${standbys === 1 ? 'gets' : 'get'} another standby`];
  return `${[...moved, ...replaced].join(', and ')}. Direct connections are not affected.`;
}

/** Whether an event is about this relay, or about a node that came to it or left it. */
export function isAbout(name: string, { type, subject, data }: EventRecord): boolean {
  if (type === 'relay.assigned') return data.from === name || data.to === name;
  return subject.kind === 'relay' && subject.id === name;
}
