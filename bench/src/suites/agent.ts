import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { MESH_INTERFACE } from '@meshwork/contract';
import { UNIT_ENVIRONMENT, unitFlags } from '@meshwork/lab/testing';
import { onAllCores } from '../all-cores.ts';
import { BenchLab } from '../bench-lab.ts';
import { enrollNodes, greetAll } from '../bench-nodes.ts';
import type { Row } from '../measure.ts';
import { pause, until } from '../until.ts';
import { processIn, type Usage, usageOf } from '../usage.ts';

const SIZES = [10, 100, 1000] as const;
/** Longer than the agent looks after something was changed, and at least one round of what it does all the time. */
const SETTLES_MS = 20_000;
/** Several rounds of what it does all the time: a look and a check every ten seconds, a heartbeat every fifteen. */
const IDLE_S = 30;
/** Peers send one heartbeat. They must not go offline during the bench, which would be a change. */
const PATIENT = { nodes: { stale_after_s: 3600, unreachable_after_s: 7200 } };

/**
 * What an agent takes of its machine, as the service unit runs it and with real engines, while nothing changes. Its peers
 * are known to the coordinator and to WireGuard, and that is all: they have no endpoints, so the agent probes none and sends no
 * handshake or keepalive. Their cost is not measured here.
 */
export function agentSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    await using mesh = await BenchLab.start(['a'], PATIENT);
    const allow = ['icmp', 'tcp:22', 'tcp:443'];
    await mesh.allow([
      { from: 'a', to: 'everyone', allow },
      { from: 'everyone', to: 'a', allow },
    ]);
    await mesh.join('a');
    const node = await nodeAlone();
    const rows: Row[] = [];
    for (const [index, size] of SIZES.entries()) {
      const first = SIZES[index - 1] ?? 0;
      const peers = await enrollNodes(mesh.coordinator, { count: size - first, first, endpoints: () => [] });
      await greetAll(mesh.coordinator, peers);
      rows.push(...rowsOf(size, await idle(mesh, size), node));
    }
    return rows;
  });
}

interface Idle {
  readonly agent: Usage;
  readonly wireguard: Usage;
}

/** A new start of the agent with so many peers, left alone: what it weighs then, and what it uses of a second. */
async function idle(mesh: BenchLab, peers: number): Promise<Idle> {
  const node = mesh.node('a');
  await untilPeers(mesh, peers);
  await node.agent.stop();
  await node.agent.start();
  await pause(SETTLES_MS);
  await untilPeers(mesh, peers);
  await mesh.untilInSync('a');
  const [agent, wireguard] = [await processIn(node, ' agent run'), await processIn(node, 'wireguard-go')];
  const before = [await usageOf(agent), await usageOf(wireguard)] as const;
  await pause(IDLE_S * 1000);
  const after = [await usageOf(agent), await usageOf(wireguard)] as const;
  return { agent: between(before[0], after[0]), wireguard: between(before[1], after[1]) };
}

async function untilPeers(mesh: BenchLab, count: number): Promise<void> {
  const seen = async () =>
    (await mesh.node('a').exec('wg', ['show', MESH_INTERFACE, 'peers'])).trim().split('\n').length;
  await until(async () => (await seen()) === count, `WireGuard has ${count} peers`);
}

/** Times as shares of the time between. */
function between(before: Usage, after: Usage): Usage {
  const share = (seconds: number) => seconds / IDLE_S;
  return {
    cpu_s: share(after.cpu_s - before.cpu_s),
    children_s: share(after.children_s - before.children_s),
    rss_mb: after.rss_mb,
    own_mb: after.own_mb,
  };
}

function rowsOf(size: number, { agent, wireguard }: Idle, node: Usage): Row[] {
  const peers = `${size.toLocaleString('en')} peers`;
  const share = (what: string, value: number) => ({ what, value: value * 100, unit: '% of a core' });
  const aimed = size === 100;
  return [
    {
      what: `memory of the agent, ${peers}`,
      ...{ value: agent.rss_mb, unit: 'MB', against: { what: 'Node that does nothing', value: node.rss_mb } },
      ...(aimed ? { aim: '≤ 60 MB' } : {}),
    },
    {
      what: '  … of its own, without what the Node binary is',
      ...{ value: agent.own_mb, unit: 'MB', against: { what: 'Node that does nothing', value: node.own_mb } },
      ...(aimed ? { aim: '≤ 25 MB' } : {}),
    },
    { ...share(`the agent while nothing changes, ${peers}`, agent.cpu_s), ...(aimed ? { aim: '≤ 0.5 %' } : {}) },
    share('  … nft and ip that it runs', agent.children_s),
    share('  … wireguard-go', wireguard.cpu_s),
    { what: '  … memory of wireguard-go', value: wireguard.rss_mb, unit: 'MB' },
  ];
}

/** What there is to be had: the same Node with the same flags, and nothing to do. */
async function nodeAlone(): Promise<Usage> {
  const script = 'setInterval(() => undefined, 1_000_000)';
  const child = spawn('env', [...UNIT_ENVIRONMENT, process.execPath, ...(await unitFlags()), '-e', script], {
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  try {
    await pause(2000);
    return await usageOf(child.pid ?? 0);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
