import { againstBare, postOf, ratioRow } from '../against-bare.ts';
import { BenchCoordinator } from '../bench-coordinator.ts';
import { enrollNodes, greetAll } from '../bench-nodes.ts';
import type { Row } from '../measure.ts';

/** Enough that none of them meets its limit of heartbeats a second. */
const NODES = 6000;

/** Heartbeats that are authenticated, validated and answered with the difference, against a bare server that echoes JSON. */
export async function heartbeatsSuite(): Promise<Row[]> {
  await using coordinator = await BenchCoordinator.start();
  const nodes = await enrollNodes(coordinator, { count: NODES, tags: (index) => [`team:t${Math.floor(index / 20)}`] });
  await greetAll(coordinator, nodes);
  const at = (count: number) => nodes[count % nodes.length] as (typeof nodes)[number];
  const [first] = nodes;
  if (first === undefined) throw new Error('no node was enrolled');
  const answer = await coordinator.ask('POST', first.path, first.heartbeat(), first.bearer);
  const ratio = await againstBare(coordinator.process, {
    request: (count) => {
      const node = at(count);
      return postOf(node.path, node.bearer, node.heartbeat());
    },
    status: 200,
    answer,
  });
  return [ratioRow('heartbeat, nothing new', ratio, 'bare node:http, JSON in and out', '≥ 0.7')];
}
