/** Every operation on a node, from its request to its end: proven, failed, timed out, cancelled. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, Ingress, Node, NodeOperation, NodeOperationKind, Problem } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, newWireguardKey, TestNode } from '../../../test/test-node.ts';

describe('operations on nodes', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(() => mesh.close());

  let teams = 0;
  const team = () => [`team:t${++teams}`];
  const settled = async (tags: readonly string[] = team(), given: object = {}) => {
    const node = await TestNode.enroll(mesh, { tags, ...given });
    await node.settle();
    return node;
  };
  const record = async (node: TestNode) => (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`)).body;
  const ask = (node: TestNode, kind: string, method = 'POST', body: unknown = {}) =>
    mesh.ask<NodeOperation & Problem>(method, `/v1/nodes/${node.id}/${kind}`, method === 'DELETE' ? {} : { body });
  const shown = async (operation: NodeOperation, wait = 0) =>
    (await mesh.ask<NodeOperation>('GET', `/v1/operations/${operation.id}?wait=${wait}`)).body;
  const begun = async (got: { status: number; text: string; body: NodeOperation }, kind: NodeOperationKind) => {
    assert.equal(got.status, 202, got.text);
    assert.deepEqual([got.body.kind, got.body.state, got.body.requested_by.name], [kind, 'requested', 'bootstrap']);
    return got.body;
  };
  /** A heartbeat that has received it, then one that has put it into effect. */
  const obey = async (node: TestNode, operation: NodeOperation) => {
    await node.beat();
    await node.beat();
    const state = (await shown(operation)).state;
    assert.ok(state === 'delivered' || state === 'verified', state);
    await node.beat({ applied: node.applied() });
  };
  const assertVerified = async (operation: NodeOperation) => {
    const now = await shown(operation, 5);
    assert.equal(now.state, 'verified', JSON.stringify(now));
    assert.ok(now.verified_at !== null && now.ended_at !== null && now.waits_for === null);
    const { items } = (await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?target=${operation.node}`)).body;
    assert.ok(items.some((entry) => entry.detail?.includes(operation.id)));
  };

  /** Which relay a node has is for those to know who may see the node that runs it. */
  const assertHidden = async (node: TestNode, relay: string, of_team: string) => {
    const { secret: token } = await mesh.token({ role: 'viewer', scope: { team: of_team } });
    const read = async (path: string, as: { readonly token?: string }) => (await mesh.ask('GET', path, as)).text;
    for (const path of [
      `/v1/nodes/${node.id}`,
      `/v1/nodes/${node.id}/posture`,
      `/v1/nodes?relay=${relay}`,
      '/v1/peers/graph',
    ]) {
      assert.match(await read(path, {}), new RegExp(relay), path);
      assert.doesNotMatch(await read(path, { token }), new RegExp(relay), path);
    }
    const { body } = await mesh.ask<{ items: Node[] }>('GET', `/v1/nodes?relay=${relay}`, { token });
    assert.deepEqual(body.items, [], 'nor by asking who has it');
    const { relayed, relay_choice, standby_relay } = (await mesh.ask<Node>('GET', `/v1/nodes/${node.id}`, { token }))
      .body;
    assert.deepEqual([relayed, relay_choice, standby_relay], [[], null, null]);
  };

  it('re-tag: proven once the node has its new tags and peers in effect', async () => {
    const [from, to] = [team(), team()];
    const [node, old, next] = [await settled(from), await settled(from), await settled(to)];
    const operation = await begun(await ask(node, 'tags', 'PUT', { tags: to }), 'retag');
    await obey(node, operation);
    await assertVerified(operation);
    assert.deepEqual([...node.peers.keys()], [next.id]);
    await old.beat();
    assert.deepEqual([...old.peers.keys()], []);
  });

  it('re-key: proven by a new key in use, which voids the session', async () => {
    const [node, peer] = await (async () => {
      const tags = team();
      return [await settled(tags), await settled(tags)] as const;
    })();
    const operation = await begun(await ask(node, 'rekey'), 'rekey');
    await node.beat();
    assert.deepEqual(node.held.commands, [{ id: operation.id, kind: 'rekey' }]);
    const wireguard_key = newWireguardKey();
    const results = [{ id: operation.id, outcome: 'done' as const }];
    assert.equal((await node.beat({ report: { wireguard_key }, results })).status, 200);
    await assertVerified(operation);
    assert.equal((await node.beat()).body.code, 'session_void');
    await peer.beat();
    assert.equal(peer.peers.get(node.id)?.wireguard_key, wireguard_key);
    await node.prove();
    await node.beat();
    assert.deepEqual(node.held.commands, []);
  });

  it('re-key: fails when the node says so, or says that it is done and has the old key', async () => {
    for (const [outcome, reason] of [
      ['failed', /disk full/],
      ['done', /but not that/],
    ] as const) {
      const node = await settled();
      const operation = await begun(await ask(node, 'rekey'), 'rekey');
      await node.beat();
      await node.beat({ results: [{ id: operation.id, outcome, detail: 'disk full' }] });
      const now = await shown(operation);
      assert.equal(now.state, 'failed');
      assert.match(now.reason ?? '', reason);
    }
  });

  it('move relay: proven by traffic through the relay, and back to the choice of the coordinator', async () => {
    const [own = ''] = team();
    const [carrier, node] = [await settled(), await settled([own])];
    await mesh.ask('POST', '/v1/relays', { body: { name: 'ams-1', node: carrier.id, host: 'ams-1.example.net' } });
    await carrier.beat();
    await (await settled()).beat({ observed: { relay_proofs: [{ name: 'ams-1', carries: true }] } });
    await node.beat({ report: { abilities: EVERYTHING } });
    const operation = await begun(await ask(node, 'relay', 'PUT', { relay: 'ams-1' }), 'move_relay');
    await mesh.until(async () => (await record(node)).relay === 'ams-1');
    await obey(node, operation);
    assert.equal((await shown(operation)).state, 'delivered', 'in effect is not in use');
    await node.beat({ observed: { relay: 'ams-1' } });
    await assertVerified(operation);
    assert.equal((await record(node)).pinned_relay, 'ams-1');
    await node.beat({ report: { relayed: [{ relay: 'ams-1', endpoint: '198.51.100.9:49160' }] } });
    await assertHidden(node, 'ams-1', own.replace('team:', ''));
    const unknown = await ask(node, 'relay', 'PUT', { relay: 'nowhere' });
    assert.equal(unknown.body.code, 'invalid');
    await mesh.ask('DELETE', '/v1/relays/ams-1');
  });

  it('approve routes: proven by the node, then reached by its peers through it', async () => {
    await mesh.allowEverything();
    const tags = team();
    const [gateway, peer] = [await settled(tags, { routes: ['10.77.0.0/16'] }), await settled(tags)];
    const approved = { approved: ['10.77.0.0/16'] };
    const operation = await begun(await ask(gateway, 'routes', 'PUT', approved), 'approve_routes');
    await mesh.until(async () => (await record(gateway)).routes_provided.length === 1);
    await obey(gateway, operation);
    await assertVerified(operation);
    await peer.beat();
    assert.deepEqual(peer.terms.get(gateway.id)?.routes, ['10.77.0.0/16']);
    assert.deepEqual((await record(peer)).routes, [`10.77.0.0/16 via ${gateway.enrolled.name}`]);
  });

  it('drain: proven by no connection left on the gateway, and undone by undrain', async () => {
    const tags = [...team(), 'role:gateway'];
    const gateway = await settled(tags);
    await gateway.beat({ report: { abilities: EVERYTHING } });
    const scope = { team: tags[0]?.slice('team:'.length) ?? '', surface: '*', environment: '*' };
    const { body: ingress } = await mesh.ask<Ingress>('POST', '/v1/ingress', {
      body: { name: 'web', hostname: 'web.test', service: 'web', gateways: ['tag:role:gateway'], scope },
    });
    await mesh.until(async () => {
      await gateway.beat({ wait: 5 });
      return gateway.held.ingress.length > 0;
    });
    assert.deepEqual(
      gateway.held.ingress.map(({ id, draining }) => [id, draining]),
      [[ingress.id, false]],
    );
    const open = (connections: number, more: object = { refuses: true }) => ({
      observed: { ingress: [{ id: ingress.id, connections, ...more }] },
    });
    await gateway.beat({ applied: gateway.applied(), ...open(3, {}) });
    const operation = await begun(await ask(gateway, 'drain'), 'drain');
    assert.equal((await record(gateway)).state, 'draining');
    await mesh.until(async () => {
      await gateway.beat(open(3));
      return (gateway.held.ingress[0] as { draining: boolean }).draining;
    });
    await gateway.beat({ applied: gateway.applied(), ...open(0, {}) });
    assert.equal((await shown(operation)).state, 'delivered', 'it may take more');
    await gateway.beat({ applied: gateway.applied(), ...open(2) });
    assert.equal((await shown(operation)).state, 'delivered');
    await gateway.beat({ applied: gateway.applied(), ...open(0) });
    await assertVerified(operation);
    const undrain = await begun(await ask(gateway, 'undrain'), 'undrain');
    await obey(gateway, undrain);
    await assertVerified(undrain);
    assert.equal((await record(gateway)).state, 'active');
  });

  it('quarantine: proven by the peers, not by the node; released again by the node', async () => {
    const tags = team();
    const [node, first, second] = [await settled(tags), await settled(tags), await settled(tags)];
    await first.settle();
    const operation = await begun(await ask(node, 'quarantine', 'POST', { reason: 'odd traffic' }), 'quarantine');
    await node.prove();
    await node.settle();
    await first.settle();
    assert.equal((await shown(operation)).state, 'delivered', 'one peer has not let go yet');
    await second.settle();
    await assertVerified(operation);
    assert.equal((await record(node)).state, 'quarantined');
    const release = await begun(await ask(node, 'release'), 'release');
    await obey(node, release);
    await assertVerified(release);
    assert.equal(node.peers.size, 2);
  });

  it('remove: proven by the peers; name and address are free at once', async () => {
    const tags = team();
    const [node, peer] = [await settled(tags, { name: 'short-lived' }), await settled(tags)];
    const operation = await begun(await mesh.ask('DELETE', `/v1/nodes/${node.id}`), 'remove');
    assert.equal((await record(node)).state, 'removed');
    assert.equal((await TestNode.enroll(mesh, { name: 'short-lived' })).enrolled.state, 'joining');
    await peer.settle();
    await assertVerified(operation);
    assert.deepEqual([...peer.peers.keys()], []);
    assert.equal((await ask(node, 'rekey')).body.code, 'node_state');
  });

  it('approve routes: refuses IPv4 written as IPv6, which no agent takes', async () => {
    const node = await settled(['team:mapped']);
    for (const cidr of ['::ffff:10.77.0.0/112', '::ffff:a4d:0/120', '::10.77.0.0/112', '::ffff:0:0/96']) {
      const got = await ask(node, 'routes', 'PUT', { approved: [cidr] });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/approved/0'], cidr);
      assert.match(got.body.detail, /IPv4/, cidr);
    }
    await begun(await ask(node, 'routes', 'PUT', { approved: ['2001:db8::/32'] }), 'approve_routes');
  });

  it('approve: a pending node has no peers until it is approved', async () => {
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: true } } });
    const tags = team();
    const node = await settled(tags);
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: false } } });
    const peer = await settled(tags);
    await node.beat();
    assert.equal((await record(node)).state, 'pending');
    assert.deepEqual([node.peers.size, peer.peers.size], [0, 0]);
    const operation = await begun(await ask(node, 'approve'), 'approve');
    await obey(node, operation);
    await assertVerified(operation);
    assert.deepEqual([...node.peers.keys()], [peer.id]);
    assert.equal((await ask(node, 'approve')).body.code, 'node_state');
  });

  it('time out when no heartbeat proves them, with what was missing', async () => {
    const node = await settled();
    const operation = await begun(await ask(node, 'drain', 'POST', { deadline_s: 30 }), 'drain');
    mesh.clock.advance(31);
    assert.notEqual(
      (await shown(operation, 10)).state,
      'timed_out',
      'what is ended at the deadline is proven after it',
    );
    mesh.clock.advance(300);
    const now = await shown(operation, 10);
    assert.equal(now.state, 'timed_out');
    assert.match(now.reason ?? '', /no connection through any ingress/);
    assert.equal((await ask(node, 'undrain')).status, 202);
  });

  it('that peers have to prove name those who did not, when the time is over', async () => {
    const tags = team();
    const [node, slow] = [await settled(tags), await settled(tags)];
    const operation = await begun(await ask(node, 'quarantine'), 'quarantine');
    for (let passed_s = 0; passed_s < 280; passed_s += 20) {
      mesh.clock.advance(20); // less than makes it overdue, whenever the coordinator looks: then it would not count
      await slow.beat(); // it is there, and says nothing of what is in effect
    }
    mesh.clock.advance(21);
    const now = await shown(operation, 10);
    assert.equal(now.state, 'timed_out');
    assert.match(now.reason ?? '', new RegExp(`not by ${slow.enrolled.name}$`));
  });

  it('two at once of one kind: the second is refused; different kinds go side by side', async () => {
    const node = await settled();
    const both = await Promise.all([ask(node, 'rekey'), ask(node, 'rekey')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [202, 409]);
    assert.equal(both.find(({ status }) => status === 409)?.body.code, 'operation_in_progress');
    assert.equal((await ask(node, 'tags', 'PUT', { tags: team() })).status, 202);
    const rekey = both.find(({ status }) => status === 202)?.body as NodeOperation;
    await ask(node, 'quarantine');
    const now = await shown(rekey);
    assert.deepEqual([now.state, now.reason], ['cancelled', 'made pointless: quarantine']);
  });

  it('are cancelled with what they had changed put back, as far as that can be', async () => {
    const tags = team();
    const node = await settled(tags);
    await settled(tags); // a peer that takes its time, or the quarantine below would be proven at once
    const retag = await begun(await ask(node, 'tags', 'PUT', { tags: team() }), 'retag');
    const cancelled = await mesh.ask<NodeOperation>('DELETE', `/v1/operations/${retag.id}`);
    assert.deepEqual([cancelled.status, cancelled.body.state], [200, 'cancelled']);
    assert.deepEqual((await record(node)).tags, tags);
    const again = await mesh.ask('DELETE', `/v1/operations/${retag.id}`);
    assert.equal(again.body.code, 'operation_over');
    const rekey = await begun(await ask(node, 'rekey'), 'rekey');
    await node.beat();
    await node.beat();
    assert.equal((await mesh.ask('DELETE', `/v1/operations/${rekey.id}`)).body.code, 'operation_not_cancellable');
    const cut = await begun(await ask(node, 'quarantine'), 'quarantine');
    assert.equal((await mesh.ask('DELETE', `/v1/operations/${cut.id}`)).body.code, 'operation_not_cancellable');
  });

  it('on nodes outside the scope of the caller do not exist', async () => {
    const node = await settled();
    const narrow = (await mesh.token({ role: 'operator', scope: PLATFORM })).secret;
    const operation = (await ask(node, 'rekey')).body;
    for (const [method, path] of [
      ['POST', `/v1/nodes/${node.id}/rekey`],
      ['POST', `/v1/nodes/${node.id}/quarantine`],
    ] as const) {
      assert.equal((await mesh.ask(method, path, { body: {}, token: narrow })).status, 404);
    }
    assert.equal((await mesh.ask('GET', `/v1/operations/${operation.id}`, { token: narrow })).status, 404);
    assert.equal((await mesh.ask('DELETE', `/v1/operations/${operation.id}`, { token: narrow })).status, 404);
    const list = await mesh.ask<{ items: NodeOperation[] }>('GET', '/v1/operations', { token: narrow });
    assert.deepEqual(list.body.items, []);
  });

  it('honour If-Match of the node', async () => {
    const node = await settled();
    const stale = await mesh.ask('PUT', `/v1/nodes/${node.id}/tags`, {
      body: { tags: team() },
      headers: { 'if-match': '"1"' },
    });
    assert.equal(stale.status, 412);
  });

  it('can be undone and requested again at once, though the first one is not proven yet', async () => {
    const tags = team();
    const [node, peer] = [await settled(tags), await settled(tags)];
    const first = await begun(await ask(node, 'quarantine'), 'quarantine');
    await begun(await ask(node, 'release'), 'release');
    assert.deepEqual(
      [(await shown(first)).state, (await shown(first)).reason],
      ['cancelled', 'made pointless: release'],
    );
    await begun(await ask(node, 'quarantine'), 'quarantine');
    const drain = await begun(await ask(peer, 'drain'), 'drain');
    const undrain = await begun(await ask(peer, 'undrain'), 'undrain');
    await begun(await ask(peer, 'drain'), 'drain');
    assert.deepEqual([(await shown(drain)).state, (await shown(undrain)).state], ['cancelled', 'cancelled']);
  });

  it('that peers prove are not failed by a report of the node', async () => {
    const tags = team();
    const [node] = [await settled(tags), await settled(tags)];
    const { id } = await begun(await ask(node, 'quarantine'), 'quarantine');
    await node.prove();
    assert.equal((await node.beat({ results: [{ id, outcome: 'failed' }] })).status, 200);
    assert.equal((await mesh.ask<NodeOperation>('GET', `/v1/operations/${id}`)).body.state, 'requested');
  });

  it('on a node that moves to another boundary belong to that one, which cannot send it back', async () => {
    const [from, to] = [team(), team()];
    const node = await settled(from);
    const within = async (tags: readonly string[]) => {
      const scope = { team: (tags[0] ?? '').slice('team:'.length) };
      return (await mesh.token({ role: 'operator', scope })).secret;
    };
    const { id } = await begun(await ask(node, 'tags', 'PUT', { tags: to }), 'retag');
    const cancel = (token?: string) => mesh.ask('DELETE', `/v1/operations/${id}`, token === undefined ? {} : { token });
    assert.equal((await cancel(await within(from))).status, 404, 'it is not there for those it left');
    const refused = await cancel(await within(to));
    assert.deepEqual([refused.status, refused.body.code], [409, 'operation_not_cancellable']);
    assert.deepEqual((await record(node)).tags, to);
    assert.equal((await cancel()).status, 200);
    assert.deepEqual((await record(node)).tags, from);
  });

  it('whose deadline passed while no coordinator ran can still be proven', async () => {
    const node = await settled();
    const operation = await begun(await ask(node, 'rekey'), 'rekey');
    await mesh.down();
    mesh.clock.advance(3600 * 0.9);
    await mesh.up();
    await node.beat();
    const results = [{ id: operation.id, outcome: 'done' as const }];
    await node.beat({ report: { wireguard_key: newWireguardKey() }, results });
    await assertVerified(operation);
  });
});
