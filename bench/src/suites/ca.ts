import { randomBytes } from 'node:crypto';
import { type Authority, SECTION_NAMES } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { requestOf } from '@meshwork/pki/testing';
import { postOf } from '../against-bare.ts';
import { BenchCoordinator } from '../bench-coordinator.ts';
import { type BenchNode, enrollNodes, manyAtOnce } from '../bench-nodes.ts';
import { answersWithin } from '../load.ts';
import { median, type Row } from '../measure.ts';
import type { Measured } from '../meter.ts';
import { startPinned } from '../pinned.ts';
import { pause, until } from '../until.ts';

const NODES = 10_000;
const REVOCATIONS = 10_000;
/** That nodes share: what a new key costs is their business. */
const REQUESTS = 64;
const CALLERS = 64;
const ISSUE_ROUNDS = 5;
const ISSUE_SECONDS = 2;
/** A node that asks again sooner waits. */
const APART_MS = 31_000;
/** A node that asks for everything again may do so once a second; and what asks too often holds up what it measures. */
const LOOK_MS = 1000;
const PATIENCE_MS = 300_000;
const LIBRARY = '@peculiar/x509';
/** Certificates in one measurement of the library alone. */
const BARE = 2000;

/**
 * Certificates by processor time, against the X.509 library alone in the same run: it reads and checks the same requests and signs the
 * same certificates, and keeps none. And how long the event loop of the coordinator turns to nothing else meanwhile.
 */
export async function caSuite(): Promise<Row[]> {
  await using coordinator = await BenchCoordinator.start({ peers_each: 1, cores: 'all' });
  await until(async () => (await intermediateOf(coordinator)) !== undefined, 'the authorities');
  const nodes = await enrollNodes(coordinator, { count: NODES });
  const requests = await Promise.all(Array.from({ length: 2 * REQUESTS }, async () => (await makeRequest()).request));
  const rates: number[] = [];
  const measureBare = async () => rates.push(BARE / (await bareCost('certificates', BARE)));

  const before = await coordinator.measure('tidy');
  await certify(coordinator, nodes, requests.slice(0, REQUESTS));
  await measureBare();
  await coordinator.measure('watch');
  await pause(APART_MS);
  const { held: idle } = await coordinator.measure();
  const renewal = await certify(coordinator, nodes, requests.slice(REQUESTS));
  const after = await coordinator.measure('tidy');
  await measureBare();
  const issued = await issue(coordinator);
  await measureBare();
  const list = await revoke(coordinator);
  const bareList = await bareCost('list', REVOCATIONS);

  const many = NODES.toLocaleString('en');
  const against = { what: `${LIBRARY}, nothing kept`, value: median(rates) };
  const alone = { what: 'left alone', value: idle.ms };
  const aloneCpu = { what: 'left alone', value: idle.cpu_ms };
  const renewed = NODES / renewal.cpu_s;
  return [
    { what: `${many} nodes renew by heartbeat`, value: renewed, unit: 'certificates/CPU s', against, aim: '≥ 0.8' },
    { what: '  longest hold of the event loop', value: renewal.held.ms, unit: 'ms', against: alone, aim: '< 20 ms' },
    { what: '  the same by processor time', value: renewal.held.cpu_ms, unit: 'ms', against: aloneCpu },
    { what: '  memory for each, two certificates', value: (after.rss - before.rss) / NODES / 1024, unit: 'KiB' },
    { what: `certificates over HTTP, ${CALLERS} callers`, value: issued, unit: 'certificates/CPU s', against },
    {
      what: `a revocation list of ${REVOCATIONS.toLocaleString('en')}`,
      value: list.cpu_s,
      unit: 'CPU s',
      against: { what: LIBRARY, value: bareList },
    },
    { what: '  longest hold of the event loop', value: list.held.ms, unit: 'ms', against: alone, aim: '< 20 ms' },
    { what: '  the same by processor time', value: list.held.cpu_ms, unit: 'ms', against: aloneCpu },
  ];
}

interface Cost {
  readonly cpu_s: number;
  readonly held: Measured['held'];
}

/** Every node brings a request, and each is signed: until the last ones have their certificate. */
async function certify(
  coordinator: BenchCoordinator,
  nodes: readonly BenchNode[],
  requests: readonly string[],
): Promise<Cost> {
  const abilities = { sections: [...SECTION_NAMES], engines: {} };
  const last = new Map<BenchNode, string | null>();
  for (const node of nodes.slice(-REQUESTS)) last.set(node, await chainOf(coordinator, node));
  const before = await coordinator.measure('watch');
  await manyAtOnce(nodes.length, async (index) => {
    const report = { abilities, certificate_request: requests[index % requests.length] ?? '' };
    await nodes[index]?.send(coordinator, { complete: true, report });
  });
  for (const [node, old] of last) {
    while ((await chainOf(coordinator, node)) === old) await pause(LOOK_MS);
  }
  const after = await coordinator.measure();
  return { cpu_s: after.cpu_s - before.cpu_s, held: after.held };
}

/** What a node is sent as its certificate. Null: none. */
async function chainOf(coordinator: BenchCoordinator, node: BenchNode): Promise<string | null> {
  node.revision = 0; // so that it is sent everything
  return (await node.send(coordinator, {})).certificate?.chain ?? null;
}

/** Certificates for services on as many nodes as there are callers, for each second of processor time. */
async function issue(coordinator: BenchCoordinator): Promise<number> {
  const texts: string[] = [];
  for (let node = 0; node < CALLERS; node++) {
    const request = await requestOf({ extensions: [`subjectAltName=DNS:job.bench-${node}.mesh`] });
    texts.push(postOf('/v1/ca/certificates', coordinator.token, { request }));
  }
  const load = { port: coordinator.port, connections: CALLERS, seconds: ISSUE_SECONDS, status: 201 };
  const rates: number[] = [];
  for (let round = 0; round < ISSUE_ROUNDS; round++) {
    const before = await coordinator.measure();
    const answered = await answersWithin({ ...load, request: (count) => texts[count % CALLERS] ?? '' });
    rates.push(answered / ((await coordinator.measure()).cpu_s - before.cpu_s));
  }
  return median(rates);
}

/** What one more revocation costs, after many. */
async function revoke(coordinator: BenchCoordinator): Promise<Cost> {
  const revokeOne = () =>
    coordinator.ask('POST', '/v1/ca/revoke', { serial: randomBytes(16).toString('hex'), reason: 'superseded' });
  const lists = () => coordinator.ask('GET', '/v1/ca/crl');
  await manyAtOnce(REVOCATIONS - 1, async () => void (await revokeOne()));
  await until(
    async () => (await intermediateOf(coordinator))?.revocation_list?.entries === REVOCATIONS - 1,
    'the list',
    PATIENCE_MS,
  );
  const old = await lists();
  const before = await coordinator.measure('watch');
  await revokeOne();
  while ((await lists()) === old) await pause(LOOK_MS);
  const after = await coordinator.measure();
  return { cpu_s: after.cpu_s - before.cpu_s, held: after.held };
}

async function intermediateOf(coordinator: BenchCoordinator): Promise<Authority | undefined> {
  const { authorities } = JSON.parse(await coordinator.ask('GET', '/v1/ca')) as { authorities: Authority[] };
  return authorities.find(({ role }) => role === 'intermediate');
}

async function bareCost(what: 'certificates' | 'list', count: number): Promise<number> {
  const bare = await startPinned(new URL('../bare-ca.ts', import.meta.url), [what, String(count)]);
  await bare.end();
  return bare.ready.cpu_s as number;
}
