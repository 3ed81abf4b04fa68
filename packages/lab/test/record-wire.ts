/**
 * Records how an agent and a coordinator of this version speak, for later versions to be held to:
 * `node packages/lab/test/record-wire.ts VERSION` writes `packages/contract/fixtures/wire/VERSION/`. Both sides are real, the
 * data plane alone is a dry run. See the README beside the recordings.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, DryRunDataPlane, enroll, HeldView, newNodeKeys, type ReceivedView } from '@meshwork/agent';
import { createClient } from '@meshwork/client';
import { type Applied, type AppliedSection, type HeartbeatReply, type Observed, utc } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { systemClock } from '@meshwork/time';
import { Fleet } from '../src/index.ts';
import { type Exchange, recordingProxy } from './recording-proxy.ts';
import { until } from './until.ts';

const FOLDER = join(import.meta.dirname, '../../contract/fixtures/wire');

/** Reports all that the agent of a host reports, a section that it cannot apply included. */
class TalkativePlane extends DryRunDataPlane {
  #repaired = false;

  override async apply(section: AppliedSection, view: ReceivedView): Promise<Applied> {
    const applied = await super.apply(section, view);
    const failing = section === 'relay' && view.sections.relay !== null;
    return failing
      ? { ...applied, error: 'traffic does not go through the relay: this agent sends it directly' }
      : applied;
  }

  override observe(extent: 'changes' | 'everything'): Observed {
    const observed = super.observe(extent);
    const at = utc(systemClock.now());
    const repairs = [{ section: 'firewall' as const, at, found: 'the table was not there' }];
    if (this.#repaired || observed.links === undefined) return { ...observed, denied: { in: 3, forward: 1 } };
    this.#repaired = true;
    return { ...observed, relays: [{ name: 'fra-1', rtt_ms: 12.5 }], denied: { in: 3, forward: 1 }, repairs };
  }
}

async function record(): Promise<readonly Exchange[]> {
  const mesh = await TestCoordinator.start();
  try {
    await mesh.allowEverything();
    await using proxy = await recordingProxy(mesh.url);
    await using fleet = new Fleet({ urls: [mesh.url], token: mesh.owner, name: (index) => `peer-${index + 1}` });
    await converse(mesh, proxy.url, proxy.exchanges, fleet);
    return [...proxy.exchanges];
  } finally {
    await mesh.close();
  }
}

async function converse(
  mesh: TestCoordinator,
  url: string,
  exchanges: readonly Exchange[],
  fleet: Fleet,
): Promise<void> {
  const client = createClient({ url, token: mesh.owner });
  const keys = newNodeKeys();
  const endpoints = ['192.0.2.7:51820', '[2001:db8::7]:51820'];
  const services = [{ name: 'git-http', protocol: 'tcp' as const, port: 443, health: 'passing' as const }];
  const about = { endpoints, services, routes: ['10.20.0.0/16'], agent_version: '0.1.0' };
  const { node } = await enroll(client, { name: 'git-1', keys, tags: ['role:git'], ...about });
  const [peer] = await fleet.join(1);

  const stopping = new AbortController();
  const running: Promise<unknown>[] = [];
  const rekeyed = newNodeKeys().wireguard.public;
  const start = (wireguard_key: string) => {
    const agent = new Agent({
      identity: { node, key: keys.identity },
      coordinators: [createClient({ url })],
      view: new HeldView(),
      data_plane: new TalkativePlane({ node, now: () => systemClock.now(), new_key: () => rekeyed }),
      report: { ...about, wireguard_key },
      clock: systemClock,
      random: Math.random,
    });
    running.push(agent.run(stopping.signal));
    return agent;
  };
  const answers = () => exchanges.map(({ answer }) => answer as HeartbeatReply);
  const heard = (what: string, isSo: (reply: HeartbeatReply) => boolean) =>
    until(
      () => answers().some(isSo),
      () => `the node receives ${what}`,
    );
  const ask = async (method: string, path: string, body: object) => {
    const got = await mesh.ask<{ readonly id: string }>(method, path, { body });
    if (got.status >= 300) throw new Error(`${method} ${path}: ${got.text}`);
    return got.body;
  };

  const agent = start(keys.wireguard.public);
  await heard('its peer', ({ peers }) => peers?.full?.length === 1 || peers?.upsert?.length === 1);
  const [second] = await fleet.join(1);
  await heard('another peer', ({ peers }) => peers?.upsert?.length === 1);
  await ask('POST', '/v1/firewall/rules', {
    interface: 'any',
    action: 'drop',
    direction: 'in',
    protocol: 'tcp',
    ports: ['23'],
    nodes: ['*'],
  });
  await heard('host rules', ({ firewall }) => (firewall?.length ?? 0) > 0);
  await ask('POST', '/v1/relays', { name: 'fra-1', node: peer?.id, host: 'fra-1.example.net' });
  await heard('its relay', ({ relay }) => relay != null);
  await ask('POST', '/v1/ingress', {
    name: 'git',
    hostname: 'git.example.net',
    service: 'git-http',
    gateways: ['node:git-1'],
  });
  await heard('an ingress', ({ ingress }) => (ingress?.length ?? 0) > 0);
  await ask('POST', `/v1/nodes/${node}/diagnose`, {});
  await heard('a question', ({ commands }) => commands?.some(({ kind }) => kind === 'diagnose') === true);
  await ask('POST', `/v1/nodes/${node}/rekey`, {});
  await heard('a command', ({ commands }) => commands?.some(({ kind }) => kind === 'rekey') === true);
  await until(
    () =>
      exchanges.some(
        ({ request }) =>
          (request as { report?: { wireguard_key?: string } }).report?.wireguard_key !== undefined &&
          (request as { results?: unknown }).results !== undefined,
      ),
    () => 'the node says that it has a new key',
  );
  await ask('PUT', `/v1/nodes/${node}/routes`, { approved: ['10.20.0.0/16'] });
  await heard('its route', ({ self }) => (self?.routes.length ?? 0) > 0);
  if (second !== undefined) await fleet.leave([second]);
  await heard('a peer that left', ({ peers }) => (peers?.remove?.length ?? 0) > 0);
  agent.report({ endpoints: ['192.0.2.8:51820'] });
  await until(
    () => exchanges.some(({ request }) => JSON.stringify(request).includes('192.0.2.8')),
    () => 'the node says where it is now',
  );
  start(rekeyed); // a new boot, which is sent everything
  const isFull = ({ peers, acl, firewall, ingress, relay }: HeartbeatReply) =>
    peers?.full?.length === 1 &&
    acl?.full?.length === 1 &&
    firewall?.length === 1 &&
    ingress?.length === 1 &&
    relay != null;
  await heard('everything', isFull);
  await until(
    () => exchanges.length > 0 && agent.status.state !== 'starting',
    () => 'everything is reported',
  );
  stopping.abort();
  await Promise.all(running);
  await askWithMore(url, exchanges, node);
}

/** What becomes of members that this version does not know. */
async function askWithMore(url: string, exchanges: readonly Exchange[], node: string): Promise<void> {
  const session = exchanges.findLast(({ path }) => path === '/v1/auth/node-sessions');
  const last = exchanges.findLast(({ path }) => path.includes('/heartbeat'));
  if (session === undefined || last === undefined) throw new Error('Nothing was recorded.');
  const { bearer } = session.answer as { readonly bearer: string };
  const { boot_id } = last.request as { readonly boot_id: string };
  const abilities = { sections: ['self', 'peers'], engines: { wireguard: 'kernel' } };
  const observed = { relays: [{ name: 'fra-1', rtt_ms: 1, lost: 0 }] };
  const bodies: Readonly<Record<string, object>> = {
    [`/v1/nodes/${node}/heartbeat`]: {
      node,
      boot_id,
      seq: 1000,
      revision: 1,
      report: { abilities },
      observed,
      mood: 'fair',
    },
    '/v1/auth/node-sessions': { proof: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl', audience: 'mesh' },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const got = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (got.status !== 422) throw new Error(`${path} was not refused: ${got.status} ${await got.text()}`);
  }
}

/** Nothing that was a secret once is kept. */
function withoutBearer(exchange: Exchange): Exchange {
  const answer = exchange.answer as { readonly bearer?: string };
  return answer.bearer === undefined ? exchange : { ...exchange, answer: { ...answer, bearer: 'meshnode_RECORDED' } };
}

const [version] = process.argv.slice(2);
if (version === undefined) throw new Error('Which version? `record-wire.ts 0.1.0`');
const exchanges = await record();
const taken = exchanges.filter(({ status }) => status < 300).map(withoutBearer);
const of = (path: RegExp) => taken.filter((exchange) => path.test(exchange.path));
const files = {
  'enrolment.json': of(/^\/v1\/nodes$/),
  'node-sessions.json': of(/^\/v1\/auth\/node-sessions$/),
  'heartbeats.json': of(/\/heartbeat(\?|$)/),
  'refusals.json': exchanges.filter(({ status }) => status === 422),
};
await mkdir(join(FOLDER, version), { recursive: true });
for (const [file, list] of Object.entries(files)) {
  await writeFile(join(FOLDER, version, file), `${JSON.stringify(list, null, 2)}\n`);
}
