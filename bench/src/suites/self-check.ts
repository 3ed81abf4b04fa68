import type { HeartbeatReply, Probe, ProbeResult } from '@meshwork/contract';
import { BenchCoordinator } from '../bench-coordinator.ts';
import { type BenchNode, enrollNodes, greetAll } from '../bench-nodes.ts';
import type { Row } from '../measure.ts';

const PROBES = 60;
/** As many as a token may make at once. */
const AT_ONCE = 5;
const HEARTBEATS = 20_000;
/** What the share is given for: a mesh of so many nodes, with the usual interval, that is checked every 20 s. */
const [MESH, INTERVAL_S, CHECKED_EVERY_S] = [10_000, 15, 20] as const;
const OPEN = { groups: { everyone: ['*'] }, grants: [{ from: 'everyone', to: 'everyone', allow: ['*'] }] };

/** What it costs the coordinator that the mesh checks its own explanations, against what heartbeats cost it. */
export async function selfCheckSuite(): Promise<Row[]> {
  await using coordinator = await BenchCoordinator.start();
  await coordinator.ask('PUT', '/v1/acls', OPEN);
  const nodes = await enrollNodes(coordinator, { count: 200 });
  await greetAll(coordinator, nodes);
  const heartbeat_s = (await cpuOf(coordinator, () => beatAll(coordinator, nodes))) / HEARTBEATS;
  const probe_s = (await cpuOf(coordinator, () => probeAll(coordinator, nodes.slice(0, 2)))) / PROBES;
  const share = (probe_s / CHECKED_EVERY_S / ((heartbeat_s * MESH) / INTERVAL_S)) * 100;
  return [
    { what: 'processor time for a check', value: probe_s / heartbeat_s, unit: 'heartbeats' },
    { what: `share of the heartbeats of ${MESH.toLocaleString('en')} nodes`, value: share, unit: '%', aim: '≤ 0.1' },
  ];
}

async function cpuOf(coordinator: BenchCoordinator, work: () => Promise<void>): Promise<number> {
  await work(); // warm before anything counts
  const before = await coordinator.measure();
  await work();
  return (await coordinator.measure()).cpu_s - before.cpu_s;
}

async function beatAll(coordinator: BenchCoordinator, nodes: readonly BenchNode[]): Promise<void> {
  for (let sent = 0; sent < HEARTBEATS; sent += nodes.length) {
    await Promise.all(nodes.map((node) => coordinator.ask('POST', node.path, node.heartbeat(), node.bearer)));
  }
}

/** Two nodes that always wait and answer, and so many probes between them. */
async function probeAll(coordinator: BenchCoordinator, nodes: readonly BenchNode[]): Promise<void> {
  const over = new AbortController();
  const answering = nodes.map((node) => answerProbes(coordinator, node, over.signal));
  for (let made = 0; made < PROBES; made += AT_ONCE) {
    const token = await newToken(coordinator, made);
    for (let count = 0; count < AT_ONCE; count++) {
      await coordinator.ask('POST', '/v1/acls/probe', { from: 'bench-0', to: 'bench-1', port: 'tcp:22' }, token);
    }
  }
  over.abort();
  for (const node of nodes) await coordinator.ask('POST', node.path, node.heartbeat(), node.bearer);
  await Promise.all(answering);
}

async function newToken(coordinator: BenchCoordinator, index: number): Promise<string> {
  const expires = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const scope = { team: '*', surface: '*', environment: '*' };
  const body = { name: `bench-${index}-${Math.random()}`, role: 'operator', scope, expires };
  return (JSON.parse(await coordinator.ask('POST', '/v1/auth/tokens', body)) as { secret: string }).secret;
}

async function answerProbes(coordinator: BenchCoordinator, node: BenchNode, signal: AbortSignal): Promise<void> {
  const abilities = {
    sections: ['self', 'peers', 'acl', 'firewall', 'commands'],
    engines: {},
    probes: ['look', 'watch', 'attempt'],
  };
  let results: ProbeResult[] = [];
  let report: object = { report: { abilities } };
  while (!signal.aborted) {
    const more = { ...report, ...(results.length === 0 ? {} : { probe_results: results }) };
    const text = await coordinator.ask('POST', `${node.path}?wait=15`, node.heartbeat(more), node.bearer);
    const reply = JSON.parse(text) as HeartbeatReply;
    node.revision = reply.revision;
    report = {};
    results = (reply.probes ?? []).flatMap(answersTo);
  }
}

function answersTo({ id, look, watch, attempt }: Probe): readonly ProbeResult[] {
  if (look !== undefined)
    return [{ id, look: { links: look.peers.map((peer) => ({ peer, heard: true })), rules: [] } }];
  if (watch !== undefined) {
    const seen = (state: 'begun' | 'ended') => ({ id, watch: { state, arrived: 1, passed: 1 } });
    return [seen('begun'), seen('ended')];
  }
  return attempt === undefined ? [] : [{ id, attempt: { outcome: 'connected', took_ms: 1 } }];
}
