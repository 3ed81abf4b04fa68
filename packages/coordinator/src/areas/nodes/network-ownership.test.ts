/** Who may have a node forward to what, and who uses it: a boundary decides for itself alone. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { EventRecord, Explanation, Node, NodeOperation, Overview, Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const POLICY = {
  groups: { clients: ['tag:role:client'], gateways: ['tag:role:gateway'], chosen: ['tag:role:chosen'] },
  grants: [
    { from: 'clients', to: '10.0.0.0/8', allow: ['tcp:443'] },
    { from: 'clients', to: '0.0.0.0/0', allow: ['tcp:443'], within: 'boundary' },
    { from: 'clients', to: '172.16.0.0/12', via: 'chosen', allow: ['tcp:443'] },
  ],
};

describe('networks have owners', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let count = 0;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PUT', '/v1/acls', { body: POLICY });
  });
  after(() => mesh.close());

  interface Team {
    readonly name: string;
    /** Of an operator of the team. */
    readonly token: string;
  }
  let alpha: Team;
  let beta: Team;
  /** A network that no other test has. */
  let net: string;
  beforeEach(async () => {
    count += 1;
    mesh.clock.advance(10);
    net = `10.${count}.0.0/16`;
    const team = async (name: string): Promise<Team> => {
      const { secret } = await mesh.token({ role: 'operator', scope: { team: name } });
      return { name, token: secret };
    };
    [alpha, beta] = [await team(`alpha-${count}`), await team(`beta-${count}`)];
  });

  const made: TestNode[] = [];
  afterEach(async () => {
    for (const one of made.splice(0)) await mesh.ask('DELETE', `/v1/nodes/${one.id}`);
  });
  const node = async (team: Team, role: string, routes: readonly string[] = []) => {
    const name = `${team.name}-${role}-${made.length}`;
    const one = await TestNode.enroll(mesh, { name, tags: [`team:${team.name}`, `role:${role}`], routes });
    made.push(one);
    return one;
  };
  const approve = (of: TestNode, body: object, token?: string) =>
    mesh.ask<NodeOperation & Problem>('PUT', `/v1/nodes/${of.id}/routes`, {
      body,
      ...(token === undefined ? {} : { token }),
    });
  const approved = async (of: TestNode, body: object, token?: string) => {
    const got = await approve(of, body, token);
    assert.equal(got.status, 202, got.text);
    await verified(of, got.body.id);
  };
  /** An operation keeps the next of its kind waiting until it is proven. */
  const verified = (of: TestNode, operation: string) =>
    mesh.until(async () => {
      mesh.clock.advance(1);
      await of.settle();
      return (await mesh.ask<NodeOperation>('GET', `/v1/operations/${operation}`)).body.state === 'verified';
    });
  const refused = (got: { readonly status: number; readonly body: Problem }, words: RegExp) => {
    assert.deepEqual([got.status, got.body.code], [403, 'mesh_scope_required'], JSON.stringify(got.body));
    assert.match(got.body.detail, words);
  };
  const record = async (of: TestNode, token?: string) =>
    (await mesh.ask<Node>('GET', `/v1/nodes/${of.id}`, token === undefined ? {} : { token })).body;
  const provided = (of: TestNode, cidr = net) =>
    mesh.until(async () => (await record(of)).routes_provided.includes(cidr));
  const settle = async (...nodes: readonly TestNode[]) => {
    for (const one of nodes) await one.settle();
  };
  const explained = async (from: TestNode, to: string) => {
    const query = new URLSearchParams({ from: from.id, to, port: 'tcp:443' });
    return (await mesh.ask<Explanation>('GET', `/v1/acls/explain?${query}`)).body;
  };

  it('refuses every caller networks that can never be behind a node, with the range and what would be right', async () => {
    const gateway = await node(alpha, 'gateway');
    for (const cidr of [
      '128.0.0.0/1',
      '127.0.0.0/8',
      '169.254.169.254/32',
      '224.0.0.0/4',
      '255.255.255.255/32',
      '0.0.0.0/8',
      '::1/128',
      'fe80::/64',
      'ff00::/8',
      '100.64.0.0/16',
      '100.0.0.0/8',
    ]) {
      for (const token of [undefined, alpha.token]) {
        const got = await approve(gateway, { approved: [cidr] }, token);
        assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/approved/0'], cidr);
        assert.match(got.body.detail, /which can never be behind a node|the addresses of the mesh itself/, cidr);
      }
    }
    const enrolled = await mesh.ask<Problem>('POST', '/v1/nodes', {
      body: { ...gateway.keys, identity: undefined, name: 'loopy', routes: ['127.0.0.0/8'] },
    });
    assert.deepEqual([enrolled.status, enrolled.body.errors?.[0]?.pointer], [422, '/routes/0']);
  });

  it('sets aside what an agent cannot offer, and takes the rest of its report', async () => {
    const gateway = await node(alpha, 'gateway');
    const offers = ['169.254.169.254/32', net, '100.64.0.0/12', '10.20.0.1/16', '0.0.0.0/0'];
    const got = await gateway.beat({ report: { routes: offers, endpoints: ['192.0.2.8:51820'] } });
    assert.equal(got.status, 200, got.text);
    const { routes_offered, routes_refused, endpoints } = await record(gateway);
    assert.deepEqual(routes_offered, [net, '0.0.0.0/0']);
    assert.deepEqual(
      routes_refused.map(({ cidr }) => cidr),
      ['169.254.169.254/32', '100.64.0.0/12', '10.20.0.1/16'],
    );
    assert.match(routes_refused[0]?.reason ?? '', /link-local/);
    assert.deepEqual(endpoints, ['192.0.2.8:51820']);
    const { body } = await mesh.ask<Overview>('GET', '/v1/overview', { token: alpha.token });
    assert.ok(body.attention.some(({ kind, subject }) => kind === 'route_refused' && subject.id === gateway.id));
    await gateway.beat({ report: { routes: [net] } });
    assert.deepEqual((await record(gateway)).routes_refused, []);
  });

  it('lets only mesh-wide callers approve what overlaps another boundary, and does not name its holder', async () => {
    const [theirs, ours] = [await node(beta, 'gateway', [net]), await node(alpha, 'gateway', [net])];
    await approved(theirs, { approved: [net] }, beta.token);
    for (const cidr of [net, `10.${count}.7.0/24`, `10.${count & ~1}.0.0/15`]) {
      const got = await approve(ours, { approved: [cidr] }, alpha.token);
      refused(got, /overlaps a network that is approved in another boundary.*takes the scope \*\/\*\/\*/);
      assert.ok(!got.text.includes(theirs.enrolled.name) && !got.text.includes(beta.name), got.text);
    }
    await approved(ours, { approved: [net] });
    // What is approved may be said again by those who could not have approved it.
    await approved(ours, { approved: [net, `192.168.${count}.0/24`] }, alpha.token);
    await approved(ours, { approved: [] }, alpha.token);
    refused(await approve(ours, { approved: [net] }, alpha.token), /overlaps/);
  });

  it('lets one of two win who approve the same at once', async () => {
    const [theirs, ours] = [await node(beta, 'gateway', [net]), await node(alpha, 'gateway', [net])];
    const got = await Promise.all([
      approve(theirs, { approved: [net] }, beta.token),
      approve(ours, { approved: [net] }, alpha.token),
    ]);
    assert.deepEqual(got.map(({ status }) => status).toSorted(), [202, 403]);
  });

  it('keeps the default routes to those who speak for the whole mesh, and lets others have networks beside them', async () => {
    const gateway = await node(alpha, 'gateway', ['0.0.0.0/0']);
    refused(await approve(gateway, { approved: ['0.0.0.0/0'] }, alpha.token), /0\.0\.0\.0\/0 takes in the addresses/);
    await approved(gateway, { approved: ['0.0.0.0/0'] });
    await approved(await node(beta, 'gateway', [net]), { approved: [net] }, beta.token);
    await approved(gateway, { approved: [] });
  });

  it('does not let a node carry an approved network into another boundary', async () => {
    const theirs = await node(beta, 'gateway', [net]);
    await approved(theirs, { approved: [net] }, beta.token);
    // With tags that the policy does not use, which need no owner.
    const tags = (more: string) => [`team:${alpha.name}`, 'role:plain', more];
    // Approved for the whole mesh in one place of the team; its operator moves it to another.
    const ours = await node(alpha, 'plain', [net]);
    await approved(ours, { approved: [net] });
    const move = (to: readonly string[], token: string) =>
      mesh.ask<NodeOperation & Problem>('PUT', `/v1/nodes/${ours.id}/tags`, { body: { tags: to }, token });
    const within = await move(tags('role:other'), alpha.token);
    assert.equal(within.status, 202, 'it stays in its boundary');
    await verified(ours, within.body.id);
    refused(await move(tags('env:production'), alpha.token), /overlaps a network/);
    assert.equal((await move(tags('env:production'), mesh.owner)).status, 202);
  });

  it('does not put an approval back for those who could not give it', async () => {
    const [theirs, ours] = [await node(beta, 'gateway', [net]), await node(alpha, 'gateway', [net])];
    await approved(ours, { approved: [net] }, alpha.token);
    const withdrawn = await approve(ours, { approved: [] });
    assert.equal(withdrawn.status, 202);
    await approved(theirs, { approved: [net] }, beta.token);
    const cancel = (token?: string) =>
      mesh.ask<Problem>('DELETE', `/v1/operations/${withdrawn.body.id}`, token === undefined ? {} : { token });
    refused(await cancel(alpha.token), /overlaps a network/);
    assert.deepEqual((await record(ours)).routes_approved, []);
    assert.equal((await cancel()).status, 200);
    assert.deepEqual((await record(ours)).routes_approved, [net]);
  });

  it('lets only those who speak for the whole mesh share a network, and keeps it shared when others change the rest', async () => {
    const gateway = await node(alpha, 'gateway', [net]);
    refused(await approve(gateway, { approved: [net], shared: [net] }, alpha.token), /Sharing 10\.\d+\.0\.0\/16/);
    await approved(gateway, { approved: [net], shared: [net] });
    await approved(gateway, { approved: [net, `192.168.${count}.0/24`] }, alpha.token);
    assert.deepEqual((await record(gateway)).routes_shared, [net]);
    await approved(gateway, { approved: [net], shared: [] }, alpha.token);
    assert.deepEqual((await record(gateway)).routes_shared, []);
    const got = await approve(gateway, { approved: [], shared: [net] });
    assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/shared/0']);
  });

  it('gives a network to its own boundary, and to another only when it is shared', async () => {
    const gateway = await node(alpha, 'gateway', [net]);
    const [ours, theirs] = [await node(alpha, 'client'), await node(beta, 'client')];
    await approved(gateway, { approved: [net] }, alpha.token);
    await provided(gateway);
    await settle(gateway, ours, theirs);
    assert.deepEqual(ours.terms.get(gateway.id)?.routes, [net]);
    assert.equal(theirs.peers.has(gateway.id), false, 'a client of another boundary has the gateway as a peer');
    assert.equal(gateway.peers.has(theirs.id), false, 'the gateway has clients of another boundary as peers');
    await approved(gateway, { approved: [net], shared: [net] });
    await mesh.until(async () => {
      await settle(theirs);
      return theirs.terms.get(gateway.id)?.routes_shared?.includes(net) === true;
    });
    assert.deepEqual((await record(theirs)).routes, [`${net} via ${gateway.enrolled.name}`]);
  });

  it('leads through a node of another boundary that a grant names', async () => {
    const cidr = `172.16.${count}.0/24`;
    const gateway = await node(alpha, 'chosen', [cidr]);
    const client = await node(beta, 'client');
    await approved(gateway, { approved: [cidr] }, alpha.token);
    await provided(gateway, cidr);
    await settle(client);
    const { routes, routes_via } = client.terms.get(gateway.id) ?? {};
    assert.deepEqual([routes, routes_via], [[cidr], [cidr]]);
  });

  it('uses the gateway of the own boundary although another one is shared and older, and explains it so', async () => {
    const ours = await node(alpha, 'gateway', [net]);
    const theirs = await node(beta, 'gateway', [net]);
    const client = await node(beta, 'client');
    await approved(ours, { approved: [net], shared: [net] });
    await approved(theirs, { approved: [net] });
    await Promise.all([provided(ours), provided(theirs)]);
    await settle(ours, theirs, client);
    assert.ok(client.peers.has(ours.id) && client.peers.has(theirs.id));
    assert.deepEqual((await record(client)).routes, [`${net} via ${theirs.enrolled.name}`]);
    assert.equal((await explained(client, `10.${count}.0.9`)).to.id, theirs.id);
  });

  it('shows overlaps to each boundary that has one, with an event when they begin and end', async () => {
    const narrow = `10.${count}.7.0/24`;
    const [theirs, ours] = [await node(beta, 'gateway', [net]), await node(alpha, 'gateway', [narrow])];
    await approved(theirs, { approved: [net] }, beta.token);
    assert.deepEqual((await record(theirs)).routes_overlapping, []);
    await approved(ours, { approved: [narrow] });
    await mesh.until(async () => (await record(theirs)).routes_overlapping.length > 0);
    assert.deepEqual((await record(theirs, beta.token)).routes_overlapping, [net]);
    assert.deepEqual((await record(ours, alpha.token)).routes_overlapping, [narrow]);
    const overview = (await mesh.ask<Overview>('GET', '/v1/overview', { token: beta.token })).body;
    const shown = overview.attention.filter(({ kind }) => kind === 'route_overlap');
    assert.deepEqual(
      shown.map(({ subject }) => subject.id),
      [net],
    );
    assert.ok(!JSON.stringify(shown).includes(alpha.name));
    await approved(ours, { approved: [] });
    await mesh.until(async () => (await record(theirs)).routes_overlapping.length === 0);
    for (const { team, cidr } of [
      { team: beta, cidr: net },
      { team: alpha, cidr: narrow },
    ]) {
      const events = await eventsOf(team.token);
      assert.deepEqual(
        events.filter(({ type }) => type.startsWith('route.overlap')).map(({ type, subject }) => [type, subject.id]),
        [
          ['route.overlapped', cidr],
          ['route.overlap_ended', cidr],
        ],
        'each boundary has one event about its own network',
      );
      const others = team === beta ? [alpha.name, narrow] : [beta.name, net];
      for (const text of others) assert.ok(!JSON.stringify(events).includes(text), `${text} is shown to another team`);
    }
  });

  it('says which routes a host takes, and explains by it', async () => {
    const gateway = await node(alpha, 'gateway', [net]);
    const client = await node(alpha, 'client');
    await approved(gateway, { approved: [net] }, alpha.token);
    await provided(gateway);
    assert.equal((await record(client)).accept_routes, null, 'it has not said');
    assert.deepEqual((await record(client)).routes, [`${net} via ${gateway.enrolled.name}`]);
    await settle(gateway);
    await client.settle({ report: { accept_routes: 'none' } });
    const { accept_routes, routes } = await record(client);
    assert.deepEqual([accept_routes, routes], ['none', []]);
    const posture = await mesh.ask<{ accept_routes: string }>('GET', `/v1/nodes/${client.id}/posture`);
    assert.equal(posture.body.accept_routes, 'none');
    const answer = await explained(client, `10.${count}.0.9`);
    assert.deepEqual(
      [answer.verdict, answer.steps.find(({ check }) => check === 'route')?.outcome],
      ['denied', 'fail'],
    );
    assert.match(answer.reason, /does not accept routes/);
    // An older agent in its place says everything, and nothing of this.
    await client.beat({ complete: true, boot_id: 'b5f0c1d2e3a5', seq: 1, report: { agent_version: '0.0.9' } });
    assert.equal((await record(client)).accept_routes, null);
  });

  const eventsOf = async (token: string): Promise<readonly EventRecord[]> => {
    const seen: EventRecord[] = [];
    const ended = new AbortController();
    const response = await fetch(`${mesh.url}/v1/events?after=0`, {
      headers: { authorization: `Bearer ${token}` },
      signal: ended.signal,
    });
    assert.equal(response.status, 200);
    assert.ok(response.body !== null);
    let text = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (/"type":"route\.overlap_ended"/.test(text) && text.endsWith('\n\n')) break;
    }
    ended.abort();
    for (const [, data = ''] of text.matchAll(/^data: (\{.*\})$/gm)) seen.push(JSON.parse(data));
    return seen;
  };
});
