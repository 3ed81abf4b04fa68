/** Coordinators of other versions: answers that were recorded with 0.1.0, and what only a later version will say. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { json, loopbackServer } from '@meshwork/client/testing';
import type { HeartbeatReply, HeartbeatRequest, NodeSession, Problem } from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import { QuickClock } from '../../test/quick-clock.ts';
import { LONE_NODE_REPLY } from '../../test/scripted-coordinator.ts';
import { agentWith } from '../../test/test-agent.ts';
import { DRY_RUN_ABILITIES } from '../data-plane/abilities.ts';
import { DryRunDataPlane } from '../data-plane/dry-run-data-plane.ts';
import { enroll } from '../identity/enroll.ts';
import { newNodeKeys } from '../identity/keys.ts';
import { HeldView } from '../view/held-view.ts';
import { Agent } from './agent.ts';

interface Exchange<Q, A> {
  readonly path: string;
  readonly request: Q;
  readonly answer: A;
}
const FOLDER = new URL('../../../contract/fixtures/wire/0.1.0/', import.meta.url);
const recorded = <Q, A>(file: string) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Exchange<Q, A>[];
const HEARTBEATS = recorded<HeartbeatRequest, HeartbeatReply>('heartbeats.json');
const [SESSION] = recorded<unknown, NodeSession>('node-sessions.json');
const [REFUSAL] = recorded<HeartbeatRequest, Problem>('refusals.json').filter(({ path }) => path.includes('heartbeat'));
const PEER = {
  id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4n',
  name: 'git-1',
  wireguard_key: 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
  address: '100.64.0.7/32',
  address6: 'fd6d::7/128',
  endpoints: ['192.0.2.7:51820'],
  relay: null,
};

/** A coordinator that says what one of 0.1.0 said, one answer after the other, and refuses what that refused. */
async function recordedCoordinator() {
  const taken: HeartbeatRequest[] = [];
  const refused: HeartbeatRequest[] = [];
  const done = Promise.withResolvers<void>();
  const server = await loopbackServer((request, response) => {
    if (request.url === '/v1/auth/node-sessions') {
      return json(response, { ...SESSION?.answer, expires: '2099-01-01T00:00:00Z' }, 201);
    }
    const body = JSON.parse(request.body) as HeartbeatRequest;
    if (body.report?.abilities !== undefined) {
      refused.push(body);
      const errors = REFUSAL?.answer.errors?.filter(({ pointer }) => pointer === '/report/abilities');
      response.writeHead(422, { 'content-type': 'application/problem+json' });
      return void response.end(JSON.stringify({ ...REFUSAL?.answer, errors }));
    }
    taken.push(body);
    if (taken.length > HEARTBEATS.length) done.resolve();
    const next = HEARTBEATS[taken.length - 1]?.answer ?? { revision: body.revision, next_s: 60 };
    json(response, next);
  });
  return { server, taken, refused, done: done.promise };
}

test('an agent goes on with a coordinator of 0.1.0, which refuses a member that it does not know', {
  timeout: 60_000,
}, async () => {
  const { server, taken, refused, done } = await recordedCoordinator();
  await using _ = server;
  const node = HEARTBEATS[0]?.request.node ?? '';
  const clock = new QuickClock();
  const leftOut: (readonly string[])[] = [];
  const agent = new Agent<HeldView>({
    identity: { node, key: newNodeKeys().identity },
    coordinators: [createClient({ url: server.url })],
    view: new HeldView(),
    data_plane: new DryRunDataPlane({ node, now: () => clock.now() }),
    report: { agent_version: '0.2.0', abilities: DRY_RUN_ABILITIES, endpoints: ['192.0.2.7:51820'] },
    clock,
    random: () => 0.5,
    observer: { leftOut: (_node, members) => leftOut.push(members) },
  });
  const stopping = new AbortController();
  const ended = agent.run(stopping.signal);
  await done;
  stopping.abort();
  await ended;
  assert.deepEqual([leftOut, refused.length], [[['/report/abilities']], 1], 'refused once, then left out');
  assert.deepEqual([taken[0]?.complete, taken[0]?.report?.agent_version], [true, '0.2.0'], 'the rest is reported');
  const last = HEARTBEATS.at(-1)?.answer;
  assert.equal(agent.view.revision, last?.revision);
  for (const section of ['self', 'firewall', 'relay', 'ingress'] as const) {
    assert.deepEqual(agent.view.sections[section], last?.[section], section);
  }
  assert.deepEqual([...agent.view.peers.all()], last?.peers?.full);
  assert.deepEqual([...agent.view.acl.all()], last?.acl?.full);
  const kinds = taken.flatMap(({ results = [] }) => results.map(({ outcome }) => outcome));
  assert.deepEqual(kinds, ['done', 'done'], 'its commands were done');
});

test('an enrolment is answered by a coordinator of 0.1.0, and members that it does not know are left out', async () => {
  const [enrolment] = recorded<object, object>('enrolment.json');
  const bodies: object[] = [];
  await using server = await loopbackServer((request, response) => {
    const body = JSON.parse(request.body) as { services?: unknown };
    bodies.push(body);
    if (body.services === undefined) return json(response, enrolment?.answer, 201);
    response.writeHead(422, { 'content-type': 'application/problem+json' });
    const errors = [{ pointer: '/services', detail: 'is not a known field' }];
    response.end(JSON.stringify({ ...REFUSAL?.answer, errors }));
  });
  const client = createClient({ url: server.url, token: 'mesh_x' });
  const enrolled = await enroll(client, { name: 'git-1', keys: newNodeKeys(), services: [], routes: [] });
  assert.deepEqual([enrolled.name, enrolled.audience, bodies.length], ['git-1', 'mesh-node-session', 2]);
  assert.deepEqual(Object.keys(bodies[1] ?? {}).sort(), ['identity_key', 'name', 'routes', 'wireguard_key']);
});

test('an agent ignores sections and members that a later coordinator says, and takes the known ones beside them', async () => {
  const peer = { ...PEER, mood: 'fair' };
  const later = {
    ...LONE_NODE_REPLY,
    self: { ...LONE_NODE_REPLY.self, mtu: 1280 },
    peers: { full: [peer], gone_since: 3 },
    teleport: { to: 'moon' },
    hint: 'x',
  } as unknown as HeartbeatReply;
  await using it = await agentWith({ script: { heartbeat: ({ body }) => (body.revision === 0 ? later : 'hold') } });
  await it.coordinator.until(() => it.coordinator.beats.some(({ body }) => body.applied?.peers !== undefined));
  const { applied } = it.coordinator.beats.findLast(({ body }) => body.applied !== undefined)?.body ?? {};
  assert.deepEqual(Object.keys(applied ?? {}).sort(), ['acl', 'firewall', 'ingress', 'peers', 'relay', 'self']);
  assert.equal(
    applied?.peers?.digest,
    digestText(withItem(EMPTY_DIGEST, digestOf(peer))),
    'as it was sent, so it is no drift',
  );
  assert.equal(applied?.self?.digest, digestText(digestOf({ ...LONE_NODE_REPLY.self, mtu: 1280 })));
  assert.ok(Object.values(applied ?? {}).every(({ error }) => error === undefined));
  assert.equal(it.agent.status.state, 'connected');
});
