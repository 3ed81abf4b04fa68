import { postOf } from '../against-bare.ts';
import { BenchCoordinator } from '../bench-coordinator.ts';
import { type BenchNode, enrollNodes, greetAll } from '../bench-nodes.ts';
import { type Connection, openConnections } from '../connections.ts';
import type { Row } from '../measure.ts';

const MANY = 10_000;
const FEW = 1000;
/** Longer than the bench runs, so that no wait ends by its timeout. */
const INTERVAL_S = 300;
const WAIT_S = 60;
/** Sizes of the team that a change concerns. */
const TEAMS = [10, 100, 1000] as const;

/** What agents cost that wait for something to change, and how fast and far a change travels among ten thousand of them. */
export async function waitingSuite(): Promise<Row[]> {
  const settings = {
    nodes: { heartbeat_interval_s: INTERVAL_S, stale_after_s: 3600, unreachable_after_s: 7200 },
  };
  await using coordinator = await BenchCoordinator.start({ settings });
  const nodes = await enrollNodes(coordinator, { count: MANY, tags: (index) => [`team:${teamOf(index)}`] });
  await greetAll(coordinator, nodes);
  const idle = (await coordinator.measure('tidy')).rss;
  const connections: Connection[] = [];
  const few = await waitAll(coordinator, nodes.slice(0, FEW), connections);
  const rest = await waitAll(coordinator, nodes.slice(FEW), connections);
  const each = (rss: number, count: number) => (rss - idle) / count / 1024;
  const rows: Row[] = [
    { what: `memory for each of ${FEW} waiting agents`, value: each(few, FEW), unit: 'KiB', aim: '≤ 24' },
    { what: `memory for each of ${MANY} waiting agents`, value: each(rest, MANY), unit: 'KiB', aim: '≤ 24' },
  ];
  for (const size of TEAMS) rows.push(...(await changeTravels(coordinator, nodes, connections, size)));
  for (const connection of connections) connection.close();
  return rows;
}

/** The first ones belong to teams of a known size, the others to small ones. */
function teamOf(index: number): string {
  let start = 0;
  for (const size of TEAMS) {
    if (index < start + size) return `of-${size}`;
    start += size;
  }
  return `t${Math.floor(index / 20)}`;
}

const waiting = new WeakMap<Connection, Promise<string>>();

function wait(node: BenchNode, connection: Connection): void {
  const answer = connection.send(postOf(`${node.path}?wait=${WAIT_S}`, node.bearer, node.heartbeat()));
  answer.catch(() => undefined); // its reader handles the error
  waiting.set(connection, answer);
}

async function waitAll(
  coordinator: BenchCoordinator,
  nodes: readonly BenchNode[],
  connections: Connection[],
): Promise<number> {
  const opened = await openConnections(coordinator.port, nodes.length);
  for (const [index, node] of nodes.entries()) wait(node, opened[index] as Connection);
  connections.push(...opened);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return (await coordinator.measure('tidy')).rss;
}

/** One node of a team moves. How long until the last of the team knows, and how much was sent for it. */
async function changeTravels(
  coordinator: BenchCoordinator,
  nodes: readonly BenchNode[],
  connections: readonly Connection[],
  size: (typeof TEAMS)[number],
): Promise<Row[]> {
  const start = TEAMS.slice(0, TEAMS.indexOf(size)).reduce((sum, other) => sum + other, 0);
  const [mover, ...peers] = nodes.slice(start, start + size);
  if (mover === undefined) throw new Error('the team is empty');
  const theirs = connections.slice(start + 1, start + size);
  const before = connections.reduce((sum, { bytes }) => sum + bytes, 0);
  const startedAt = performance.now();
  const moved = { report: { endpoints: [`198.19.0.${size % 250}:4${size}`] } };
  await coordinator.ask('POST', mover.path, mover.heartbeat(moved), mover.bearer);
  const answers = await Promise.all(theirs.map((connection) => waiting.get(connection)));
  const took = performance.now() - startedAt;
  const sent = connections.reduce((sum, { bytes }) => sum + bytes, 0) - before;
  const reached = answers.filter((answer) => answer?.includes('"upsert"')).length;
  if (reached !== peers.length) throw new Error(`the change reached ${reached} of ${peers.length} peers`);
  return [
    { what: `a change reaches the last of ${peers.length} peers, ${MANY} connected`, value: took, unit: 'ms' },
    { what: `… bytes sent for each of the ${peers.length}`, value: sent / peers.length, unit: 'bytes' },
  ];
}
