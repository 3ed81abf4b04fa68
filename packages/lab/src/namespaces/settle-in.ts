import type { Client } from '@meshwork/client';
import type { Node } from '@meshwork/contract';
import type { Lab } from './lab.ts';
import { LabError } from './lab-error.ts';

interface SettleOptions {
  readonly client: Client;
  readonly signal?: AbortSignal | undefined;
  readonly timeout_ms?: number | undefined;
}

/** Ours: a first heartbeat comes within a second; on a machine with many nodes and few cores, agents start one by one. */
const HEARD_WITHIN_MS = 120_000;
const LOOK_MS = 250;
const LAST_LINES = 5;

/** Lets the nodes of a lab forward to the subnets behind them, for the whole lab, which is an operator's to say. */
export async function approveSubnets({ plan, nodes }: Lab, client: Client): Promise<void> {
  for (const { name, routes } of plan.nodes) {
    const id = await nodes.get(name)?.id();
    if (id === undefined || routes.length === 0) continue;
    await client.call('nodes.approve_routes', { params: { id }, body: { approved: [...routes], shared: [...routes] } });
  }
}

/** Waits until every node has sent a heartbeat, and answers with their records, in the order of the lab. */
export async function untilHeard(lab: Lab, options: SettleOptions): Promise<Node[]> {
  const { client, signal, timeout_ms = HEARD_WITHIN_MS } = options;
  const deadline = performance.now() + timeout_ms;
  for (;;) {
    const nodes = await labNodes(lab, client);
    const silent = [...lab.nodes.keys()].filter((name) => !nodes.some((node) => node.name === name && node.heartbeat));
    if (silent.length === 0) return nodes;
    await checkAgents(lab, silent);
    if (performance.now() > deadline) throw await tooQuiet(lab, silent);
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What the coordinator knows of the nodes of a lab that are enrolled. */
export async function labNodes(lab: Lab, client: Client): Promise<Node[]> {
  const ids = await Promise.all([...lab.nodes.values()].map((node) => node.id()));
  const known = new Map<string, Node>();
  for await (const node of client.pages('nodes.list', { query: { limit: 200 } })) known.set(node.id, node);
  return ids.flatMap((id) => (id === undefined ? [] : (known.get(id) ?? [])));
}

/** An agent that has ended sends no heartbeat, however long we wait. */
async function checkAgents(lab: Lab, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { agent } = lab.node(name);
    if (await agent.isRunning()) continue;
    throw new LabError('failed', `the agent of ${name} has ended. Its last words:\n${lastLines(await agent.logs())}`);
  }
}

async function tooQuiet(lab: Lab, silent: readonly string[]): Promise<LabError> {
  const [first = ''] = silent;
  const words = lastLines(await lab.node(first).logs());
  return new LabError(
    'failed',
    `no heartbeat came from ${silent.join(', ')}. The last log lines of ${first}:\n${words}`,
  );
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}
