import { setTimeout as pause } from 'node:timers/promises';
import type { HeartbeatReply, Probe, ProbeResult } from '@meshwork/contract';
import { BenchCoordinator } from '../bench-coordinator.ts';
import { type BenchNode, enrollNodes, greetAll } from '../bench-nodes.ts';
import type { Row } from '../measure.ts';

/** Two nodes each: what was looked at for one check serves no other. */
const PAIRS = 100;
/** As many as a token may make at once. */
const AT_ONCE = 5;
/** What nodes said is forgotten by then. */
const FORGOTTEN_MS = 3_500;
/** Of all nodes together, in each of two passes: a node may send a hundred at once. */
const HEARTBEATS = 8_000;
/** What the share is given for: a mesh of so many nodes, with the usual interval, and the pause between two checks. */
const [MESH, INTERVAL_S, CHECKED_EVERY_S] = [10_000, 15, 40] as const;
const OPEN = { groups: { everyone: ['*'] }, grants: [{ from: 'everyone', to: 'everyone', allow: ['*'] }] };

/**
 * What it costs the coordinator that the mesh checks its own explanations, against what heartbeats cost it. A check is what an
 * operator's probe is, without the request and its audit record: what those cost is shown by probes that have nothing to try.
 */
export async function selfCheckSuite(): Promise<Row[]> {
  await using coordinator = await BenchCoordinator.start();
  await coordinator.ask('PUT', '/v1/acls', OPEN);
  const nodes = await enrollNodes(coordinator, { count: 2 * PAIRS });
  await greetAll(coordinator, nodes);
  const heartbeat_s = (await cpuOf(coordinator, () => beatAll(coordinator, nodes))) / HEARTBEATS;
  const over = new AbortController();
  const answering = nodes.map((node) => answerProbes(coordinator, node, over.signal));
  const request_s = (await cpuOf(coordinator, await probesOf(coordinator, (pair) => [2 * pair, 2 * pair]))) / PAIRS;
  const probe_s = (await cpuOf(coordinator, await probesOf(coordinator, (pair) => [2 * pair, 2 * pair + 1]))) / PAIRS;
  over.abort();
  for (const node of nodes) await coordinator.ask('POST', node.path, node.heartbeat(), node.bearer);
  await Promise.all(answering);
  const check_s = probe_s - request_s;
  const share = (check_s / CHECKED_EVERY_S / ((heartbeat_s * MESH) / INTERVAL_S)) * 100;
  return [
    { what: 'processor time for a check', value: check_s / heartbeat_s, unit: 'heartbeats' },
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

/** One probe for each pair, in turn. Called twice: first to be warm. */
async function probesOf(
  coordinator: BenchCoordinator,
  between: (pair: number) => readonly [from: number, to: number],
): Promise<() => Promise<void>> {
  const tokens: string[] = [];
  while (tokens.length < (2 * PAIRS) / AT_ONCE) tokens.push(await newToken(coordinator, tokens.length));
  let made = 0;
  return async () => {
    await pause(FORGOTTEN_MS);
    for (let pair = 0; pair < PAIRS; pair++) {
      const [from, to] = between(pair);
      const body = { from: `bench-${from}`, to: `bench-${to}`, port: 'tcp:22' };
      await coordinator.ask('POST', '/v1/acls/probe', body, tokens[Math.floor(made++ / AT_ONCE)]);
    }
  };
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
    probes: ['look', 'attempt'], // the mesh has the far end watch only where it disagrees
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

function answersTo({ id, look, attempt }: Probe): readonly ProbeResult[] {
  if (look !== undefined)
    return [{ id, look: { links: look.peers.map((peer) => ({ peer, heard: true })), rules: [] } }];
  return attempt === undefined ? [] : [{ id, attempt: { outcome: 'connected', took_ms: 1 } }];
}
