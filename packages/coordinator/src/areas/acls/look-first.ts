/** Who has to be asked before an explanation can be given: both ends say how things are right now. */
import type { NodeId } from '@meshwork/contract';
import { type ExplainFacts, isSilent, type NodeFacts } from '@meshwork/policy';
import type { LookWish } from '../../probes/looks.ts';
import { arePeers } from '../../views/reach.ts';
import type { Runtime } from '../runtime.ts';

/** Ours: of a service that many nodes offer, or a network that many forward to, so many are asked. */
const MOST_ENDS = 8;

/** The nodes that would say more than is known. Empty: the answer can be given at once. */
export function lookWishes(
  { looks, views }: Pick<Runtime, 'looks' | 'views'>,
  { source, destination }: Pick<ExplainFacts, 'source' | 'destination'>,
): ReadonlyMap<NodeId, LookWish> {
  const wishes = new Map<NodeId, LookWish>();
  if (source.kind === 'missing') return wishes;
  const far = farEnds(destination).filter(({ id }) => id !== source.id);
  const peers = far.filter(({ id }) => arePeers(views.reach, source.id as NodeId, id as NodeId));
  const wish = (node: NodeFacts, others: readonly NodeFacts[]) => {
    if (isSilent(node.state)) return; // it would not answer, and what follows from that is known
    const asked = {
      peers: others.filter(({ state }) => !isSilent(state)).map(({ id }) => id as NodeId),
      rules: dropsOf(node),
    };
    if (looks.isDue(node.id as NodeId, asked)) wishes.set(node.id as NodeId, asked);
  };
  wish(source, peers);
  for (const node of far) wish(node, peers.includes(node) ? [source] : []);
  return withBothEnds(wishes, source.id as NodeId, peers);
}

/** A packet is heard only if the other end sends one: where one end of a link looks, the other does too. */
function withBothEnds(
  wishes: ReadonlyMap<NodeId, LookWish>,
  source: NodeId,
  peers: readonly NodeFacts[],
): ReadonlyMap<NodeId, LookWish> {
  const isDue = peers.some(({ id }) => wishes.has(id as NodeId));
  if (!isDue && !wishes.has(source)) return wishes;
  const all = new Map(wishes);
  const alive = peers.filter(({ state }) => !isSilent(state));
  all.set(source, wishes.get(source) ?? { peers: alive.map(({ id }) => id as NodeId), rules: [] });
  for (const { id } of alive) all.set(id as NodeId, wishes.get(id as NodeId) ?? { peers: [source], rules: [] });
  return all;
}

function farEnds(destination: ExplainFacts['destination']): readonly NodeFacts[] {
  switch (destination.kind) {
    case 'missing':
      return [];
    case 'node':
      return [destination.node];
    case 'service':
      return destination.candidates.slice(0, MOST_ENDS).map(({ node }) => node);
    case 'address': {
      const nodes = [
        ...(destination.holder ? [destination.holder] : []),
        ...destination.providers.map(({ node }) => node),
      ];
      return [...new Map(nodes.map((node) => [node.id, node])).values()].slice(0, MOST_ENDS);
    }
  }
}

/** What a rule drops matters where another one accepts up to a rate. */
function dropsOf({ firewall }: NodeFacts): readonly string[] {
  if (firewall.every(({ rate }) => rate === undefined)) return [];
  return firewall.filter(({ action, enabled }) => enabled && action === 'drop').map(({ id }) => id);
}
