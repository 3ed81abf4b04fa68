import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Link, Node, NodeOperation } from '@meshwork/contract';
import { arrivalOf } from '../../../test/arrival.ts';
import { EventReader } from '../../../test/event-reader.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { newWireguardKey, TestNode } from '../../../test/test-node.ts';

describe('a heartbeat', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  const shown = async (node: TestNode) => (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
  const team = () => ({ tags: [`team:t${randomUUID().slice(0, 8)}`] });

  it('sends a node everything the first time, and nothing when nothing changed', async () => {
    const node = await TestNode.enroll(mesh, team());
    const first = await node.beat({ complete: true });
    assert.equal(first.status, 200, first.text);
    assert.deepEqual(first.body.peers, { full: [] });
    assert.equal(first.body.self?.name, node.enrolled.name);
    assert.deepEqual([first.body.relay, first.body.ingress, first.body.commands], [null, [], []]);
    await node.beat({ applied: node.applied() });
    await node.beat();
    const again = await node.beat();
    assert.deepEqual(Object.keys(again.body).sort(), ['next_s', 'revision']);
  });

  it('sends peers to each other, then only what changed', async () => {
    const tags = team();
    const a = await TestNode.enroll(mesh, tags);
    await a.settle();
    const b = await TestNode.enroll(mesh, { ...tags, endpoints: ['192.0.2.7:51820'] });
    const got = await a.beat();
    assert.deepEqual(
      got.body.peers?.upsert?.map(({ id, endpoints }) => [id, endpoints]),
      [[b.id, ['192.0.2.7:51820']]],
    );
    assert.equal(got.body.peers?.full, undefined);
    await b.settle();
    assert.deepEqual([...b.peers.keys()], [a.id]);
    const removed = await mesh.ask('DELETE', `/v1/nodes/${b.id}`);
    assert.equal(removed.status, 202, removed.text);
    const gone = await a.beat();
    assert.deepEqual(gone.body.peers, { remove: [b.id] });
  });

  it('that waits is answered the moment something changes', async () => {
    const tags = team();
    const a = await TestNode.enroll(mesh, tags);
    const b = await TestNode.enroll(mesh, tags);
    await a.settle();
    await b.settle();
    await a.beat();
    const waiting = a.beat({ wait: 10 });
    await b.beat({ report: { endpoints: ['198.51.100.4:51820'] } });
    const answer = await waiting;
    assert.deepEqual(answer.body.peers?.upsert?.[0]?.endpoints, ['198.51.100.4:51820']);
    assert.equal(answer.body.next_s, 0);
  });

  it('says where the node receives through relays, and its peers are sent that at once', async () => {
    const tags = team();
    const [a, b] = [await TestNode.enroll(mesh, tags), await TestNode.enroll(mesh, tags)];
    await a.settle();
    await b.settle();
    await a.beat();
    assert.equal('relayed' in (a.peers.get(b.id) ?? {}), false, 'an agent that does not say it sends nothing there');
    using reader = await EventReader.open(mesh.url, { token: mesh.owner, query: '?type=node.reported' });
    const waiting = a.beat({ wait: 10 });
    const place = { relay: 'fra-1', endpoint: '198.51.100.9:49160' };
    const nowhere = { relay: 'ams-1', endpoint: '127.0.0.1:49160' };
    const names = { resolver: '/etc/hosts', problem: 'port 53 is taken' };
    await b.beat({ report: { relayed: [place, nowhere], nat: 'address-dependent', names } });
    assert.deepEqual((await waiting).body.peers?.upsert?.[0]?.relayed, [place]);
    await b.beat();
    const said = async () => {
      const { relayed, nat, names: resolved } = await shown(b);
      return { relayed, nat, names: resolved };
    };
    assert.deepEqual(await said(), { relayed: [place], nat: 'address-dependent', names });
    const [event] = await reader.events(1);
    const { data } = JSON.parse(event?.data ?? '{}') as { data?: unknown };
    assert.deepEqual(data, { name: b.enrolled.name, changed: ['relayed', 'nat', 'names'] });
    await mesh.ask('PATCH', '/v1/settings', { body: { relays: { allow_special_addresses: true } } });
    await b.beat({ report: { relayed: [nowhere] } });
    assert.deepEqual((await said()).relayed, [nowhere]);
    await mesh.ask('PATCH', '/v1/settings', { body: { relays: { allow_special_addresses: false } } });
    await b.beat({ report: { relayed: [] } });
    assert.deepEqual((await said()).relayed, []);
    await b.beat({ complete: true, report: { endpoints: [] } });
    assert.deepEqual(await said(), { relayed: null, nat: null, names: null }, 'one that says everything, and not this');
  });

  it('is recorded in the node, with where it came from and how wrong its clock is', async () => {
    const node = await TestNode.enroll(mesh, team());
    assert.equal((await shown(node)).heartbeat, null);
    const sent_ms = mesh.clock.now();
    await node.beat({ sent_at: new Date(sent_ms + 30_000).toISOString() });
    const took_ms = mesh.clock.now() - sent_ms;
    const record = await shown(node);
    // The record has the heartbeat to the second and the skew to a tenth of one; both include the time under way.
    const after_ms = Date.parse(record.heartbeat ?? '') - sent_ms;
    assert.ok(after_ms > -1000 && after_ms <= took_ms, `${after_ms} of ${took_ms}`);
    const skew_s = record.clock_skew_s ?? 0;
    assert.ok(skew_s <= 30 && skew_s >= 29.9 - took_ms / 1000, `${skew_s}, ${took_ms} ms`);
    assert.equal(record.seen_from, '127.0.0.1');
  });

  it('is refused when it was sent before, overtaken, or left over from an earlier start of the agent', async () => {
    const node = await TestNode.enroll(mesh, team());
    await node.beat({ seq: 5 });
    assert.equal((await node.beat({ seq: 5 })).body.code, 'heartbeat_replayed');
    assert.equal((await node.beat({ seq: 4 })).body.code, 'heartbeat_replayed');
    const earlier = node.boot_id;
    assert.equal((await node.beat({ boot_id: randomUUID(), seq: 1 })).status, 200);
    assert.equal((await node.beat({ boot_id: earlier, seq: 99 })).body.code, 'heartbeat_replayed');
  });

  it('for another node, or whose body names another, is refused', async () => {
    const a = await TestNode.enroll(mesh, team());
    const b = await TestNode.enroll(mesh, team());
    const body = { node: b.id, boot_id: a.boot_id, seq: 1, revision: 0 };
    const other = await mesh.ask('POST', `/v1/nodes/${b.id}/heartbeat`, { body, token: a.bearer });
    assert.deepEqual([other.status, other.body.code], [403, 'node_mismatch']);
    const conflicting = await a.beat({ node: b.id });
    assert.deepEqual([conflicting.status, conflicting.body.code], [422, 'invalid']);
    assert.equal((await shown(b)).heartbeat, null);
  });

  it('makes what it reports durable before it is answered', async () => {
    const node = await TestNode.enroll(mesh, team());
    const services = [{ name: 'git-ssh', protocol: 'tcp' as const, port: 22, health: 'passing' as const }];
    const report = { endpoints: ['192.0.2.9:51820'], services, routes: ['10.20.0.0/16'], agent_version: '1.2.3' };
    await node.beat({ report });
    await mesh.down();
    await mesh.up();
    const record = await shown(node);
    assert.deepEqual(record.endpoints, report.endpoints);
    assert.deepEqual(record.service_bindings, services);
    assert.deepEqual(record.routes_offered, report.routes);
    assert.equal(record.agent_version, '1.2.3');
    assert.equal((await node.beat()).status, 200, 'the session outlives the coordinator');
  });

  it('that says something impossible is refused whole', async () => {
    const node = await TestNode.enroll(mesh, team());
    for (const report of [
      { endpoints: ['999.1.1.1:51820'] },
      { endpoints: ['192.0.2.1:99999'] },
      { relayed: [{ relay: 'fra-1', endpoint: '999.1.1.1:51820' }] },
      { wireguard_key: `${'A'.repeat(43)}=` },
    ]) {
      const got = await node.beat({ report });
      assert.deepEqual([got.status, got.body.code], [422, 'invalid'], JSON.stringify(report));
    }
  });

  it('with a key that another node has is refused', async () => {
    const a = await TestNode.enroll(mesh, team());
    const b = await TestNode.enroll(mesh, team());
    const got = await a.beat({ report: { wireguard_key: b.keys.wireguard_key } });
    assert.equal(got.body.code, 'already_exists');
    const fresh = newWireguardKey();
    assert.equal((await a.beat({ report: { wireguard_key: fresh } })).status, 200);
    assert.equal((await shown(a)).wireguard_key, fresh);
  });

  it('proves an enrolment', async () => {
    const node = await TestNode.enroll(mesh, team());
    const operation = async () =>
      (await mesh.ask<NodeOperation>('GET', `/v1/operations/${node.enrolled.enrollment.operation}`)).body;
    assert.equal((await operation()).state, 'requested');
    await node.beat({ complete: true });
    await node.beat();
    assert.equal((await operation()).state, 'delivered');
    await node.beat({ applied: node.applied() });
    assert.equal((await operation()).state, 'verified');
  });

  it('is believed about links to its peers, and about no others', async () => {
    const tags = team();
    const [a, b, stranger] = [
      await TestNode.enroll(mesh, tags),
      await TestNode.enroll(mesh, tags),
      await TestNode.enroll(mesh, team()),
    ];
    const link = (peer: string) => ({ peer, path: 'direct', rx_bytes: 1, tx_bytes: 2 }) as const;
    await a.beat({ complete: true, observed: { links: [link(b.id), link(stranger.id)] } });
    const seen = async (peer: TestNode) => {
      const got = await mesh.ask<{ items: Link[] }>('GET', `/v1/peers?node=${peer.id}`);
      return got.body.items.map(({ b_view }) => b_view?.tx_bytes);
    };
    assert.deepEqual(await seen(b), [2]);
    await mesh.ask('PUT', `/v1/nodes/${stranger.id}/tags`, { body: tags });
    assert.deepEqual(await seen(stranger), [undefined, undefined]);
  });

  it('that brings a new key is answered, and does not wait with the session that it ended', async () => {
    const node = await TestNode.enroll(mesh, team());
    await node.settle();
    await node.beat();
    const got = await node.beat({ wait: 10, report: { wireguard_key: newWireguardKey() } });
    assert.equal(got.status, 200, got.text);
    assert.equal((await node.beat()).body.code, 'session_void');
  });

  it('of an agent that lost part of its view is answered with what it lost', async () => {
    const tags = team();
    const node = await TestNode.enroll(mesh, tags);
    await node.settle();
    await node.beat();
    const saved = node.revision;
    const peer = await TestNode.enroll(mesh, tags);
    await node.beat();
    await node.beat();
    const got = await node.beat({ boot_id: randomUUID(), seq: 1, revision: saved });
    assert.deepEqual(
      got.body.peers?.upsert?.map(({ id }) => id),
      [peer.id],
    );
  });

  it('that is still being read when the coordinator goes down is answered, not left waiting', async () => {
    const node = await TestNode.enroll(mesh, team());
    await node.settle();
    await node.beat();
    const { hostname, port } = new URL(mesh.url);
    const text = JSON.stringify({ node: node.id, boot_id: node.boot_id, seq: ++node.seq, revision: node.revision });
    const path = `/v1/nodes/${node.id}/heartbeat?wait=15`;
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: coordinator',
      `Authorization: Bearer ${node.bearer}`,
      'Content-Type: application/json',
      `Content-Length: ${text.length}`,
    ];
    const arrival = arrivalOf('POST', path);
    const socket = connect(Number(port), hostname);
    socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, 5)}`);
    await arrival;
    const down = mesh.down();
    socket.write(text.slice(5));
    let answer = '';
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString();
    });
    await Promise.all([down, once(socket, 'close')]);
    // One that is left waiting is cut off without an answer, before its wait is over.
    assert.match(answer, /^HTTP\/1\.1 200 /);
    await mesh.up();
  });

  it('that reports one change after another, or requests everything each time, is rate limited', async () => {
    const node = await TestNode.enroll(mesh, team());
    await node.settle();
    using _ = mesh.clock.holdStill(); // what it may do grows by the second
    const codes = new Set<number>();
    for (let port = 1000; port < 1070; port++) {
      codes.add((await node.beat({ report: { endpoints: [`192.0.2.1:${port}`] } })).status);
    }
    assert.deepEqual([...codes], [200, 429]);
    const refused = await node.beat({ report: { endpoints: ['192.0.2.1:999'] } });
    assert.deepEqual([refused.body.code, refused.headers.has('retry-after')], ['rate_limited', true]);
    assert.equal((await node.beat()).status, 200, 'one that requests nothing more is answered all the same');
    assert.equal((await node.beat({ revision: 0 })).status, 429);
    mesh.clock.advance(5);
    assert.equal((await node.beat({ revision: 0 })).status, 200);
  });
});
