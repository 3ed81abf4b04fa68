/** The questions that an operator asks, each answered in one call, with what would help. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type ExplainCheck, type Explanation, type Node, utc } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const NET = ['10.20.0.0/16'];
const POLICY = {
  groups: { developers: ['tag:role:dev'], 'git-servers': ['tag:role:git'] },
  grants: [
    { from: 'developers', to: 'git-servers', allow: ['tcp:22', 'icmp'], note: 'agreed with node-of-others' },
    { from: 'developers', to: '10.20.0.0/16', allow: ['tcp:443'] },
  ],
};

describe('why a node cannot reach something', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let laptop: TestNode;
  let git: TestNode;
  let gateway: TestNode;
  let desk: TestNode;
  before(async () => {
    mesh = await TestCoordinator.start();
    const inTeam = (name: string, more: readonly string[], fields: object = {}) =>
      TestNode.enroll(mesh, { name, tags: ['team:platform', 'surface:git', 'env:production', ...more], ...fields });
    laptop = await inTeam('laptop-3', ['role:dev']);
    desk = await inTeam('desk-9', []);
    git = await inTeam('git-1', ['role:git'], { services: [{ name: 'git-ssh', protocol: 'tcp', port: 22 }] });
    gateway = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['team:net'], routes: ['10.20.0.0/16'] });
  });
  after(() => mesh.close());
  beforeEach(async () => {
    mesh.clock.advance(10); // so that the heartbeats of one test leave the next as many as there may be at once
    const put = await mesh.ask('PUT', '/v1/acls', { body: POLICY });
    assert.equal(put.status, 200, put.text);
    assert.equal((await settled(everybodySettles, 'laptop-3', 'git-1', 'tcp:22')).verdict, 'allowed');
  });

  const all = () => [laptop, desk, git, gateway];
  /** Everybody has put into effect what it should, and says how its links are. */
  const everybodySettles = async (path: 'direct' | 'relay' = 'direct') => {
    const observed = (node: TestNode) => ({
      links: [...node.peers.keys()].map((peer) => ({
        peer,
        path,
        handshake_at: utc(mesh.clock.now()),
        rtt_ms: 2,
        rx_bytes: 1,
        tx_bytes: 1,
      })),
    });
    for (const node of all()) await node.settle();
    for (const node of all()) await node.settle({ observed: observed(node) });
  };
  const explain = async (from: string, to: string, port?: string, token?: string): Promise<Explanation> => {
    const query = new URLSearchParams({ from, to, ...(port === undefined ? {} : { port }) });
    const got = await mesh.ask<Explanation>('GET', `/v1/acls/explain?${query}`, token === undefined ? {} : { token });
    assert.equal(got.status, 200, got.text);
    return got.body;
  };
  /** The answer once every node has applied its view, which may take several rounds: one change can bring another. */
  const settled = async (settle: () => Promise<void>, ...question: Parameters<typeof explain>) => {
    let answer: Explanation | undefined;
    await mesh.until(async () => {
      await settle();
      answer = await explain(...question);
      return answer.verdict !== 'unknown';
    });
    return answer ?? assert.fail();
  };
  const theOthersSettle = async () => {
    for (const node of [laptop, desk, gateway]) await node.settle();
  };
  const outcomeOf = ({ steps }: Explanation, check: ExplainCheck) =>
    steps.find((step) => step.check === check)?.outcome;
  const assertDenied = (answer: Explanation, check: ExplainCheck, reason: RegExp, fix: RegExp) => {
    assert.equal(answer.verdict, 'denied', JSON.stringify(answer, undefined, 1));
    assert.equal(outcomeOf(answer, check), 'fail', JSON.stringify(answer.steps));
    assert.match(answer.reason, reason);
    assert.match(answer.fix.join('\n'), fix);
  };

  it('is that it can', async () => {
    for (const to of [
      'git-1',
      git.id,
      git.enrolled.address.replace('/32', ''),
      git.enrolled.address6.replace('/128', ''),
    ]) {
      const answer = await explain('laptop-3', to, 'tcp:22');
      assert.deepEqual(
        [answer.verdict, answer.grant],
        ['allowed', 'developers -> git-servers'],
        JSON.stringify(answer),
      );
      assert.deepEqual(answer.fix, []);
      assert.ok(answer.steps.every(({ outcome }) => outcome === 'pass'));
    }
    const service = await explain('laptop-3', 'service:git-ssh');
    assert.deepEqual([service.verdict, service.port, service.to.name], ['allowed', 'tcp:22', 'git-1']);
  });

  it('is that no grant says so', async () => {
    assertDenied(await explain('desk-9', 'git-1', 'tcp:22'), 'grant', /No grant lets desk-9/, /role:dev/);
    assertDenied(await explain('git-1', 'laptop-3', 'tcp:22'), 'grant', /No grant lets git-1/, /./);
  });

  it('is the wrong port', async () => {
    const answer = await explain('laptop-3', 'git-1', 'tcp:5432');
    assertDenied(answer, 'grant', /tcp:5432/, /Add "tcp:5432" to the grant developers -> git-servers/);
  });

  it('is that one of them is stale: then the verdict is unknown', async () => {
    mesh.clock.advance(120);
    let answer = await explain('laptop-3', 'git-1', 'tcp:22');
    // The other end may be overdue too at first: the look that finds it so can be under way when its heartbeat comes.
    await mesh.until(async () => {
      await Promise.all([laptop, desk, gateway].map((node) => node.beat()));
      answer = await explain('laptop-3', 'git-1', 'tcp:22');
      return outcomeOf(answer, 'source') === 'pass' && outcomeOf(answer, 'destination') !== 'pass';
    });
    assert.deepEqual([answer.verdict, outcomeOf(answer, 'destination')], ['unknown', 'unknown']);
    assert.match(answer.reason, /git-1 was last seen 2 minutes ago/);
    assert.match(answer.fix.join(), /git-1/);
    await mesh.ask('PUT', '/v1/acls', { body: { ...POLICY, stale: 'drop' } });
    const dropped = await settled(theOthersSettle, 'laptop-3', 'git-1', 'tcp:22');
    assert.equal(dropped.verdict, 'denied', 'its peers have dropped it');
  });

  it('is that a node has not applied the policy yet: then the verdict is unknown', async () => {
    const { body } = await mesh.ask<{ revision: number }>('PUT', '/v1/acls', {
      body: { ...POLICY, grants: [{ ...POLICY.grants[0], allow: ['tcp:22', 'tcp:2222'] }] },
    });
    const answer = await explain('laptop-3', 'git-1', 'tcp:2222');
    assert.deepEqual([answer.verdict, outcomeOf(answer, 'applied')], ['unknown', 'unknown']);
    assert.match(
      answer.reason,
      new RegExp(`The policy allows it, but git-1 has not confirmed revision ${body.revision}`),
    );
    const other = await explain('laptop-3', 'git-1', 'icmp');
    assert.match(other.reason, /The policy denies it, but/);
    assert.equal((await settled(everybodySettles, 'laptop-3', 'git-1', 'tcp:2222')).verdict, 'allowed');
    await git.beat({
      applied: { ...git.applied(), acl: { revision: 1, digest: '0'.repeat(12), error: 'nft is missing' } },
    });
    assert.match((await explain('laptop-3', 'git-1', 'tcp:2222')).reason, /nft is missing/);
  });

  it('is a firewall rule, of either end', async () => {
    for (const [nodes, direction] of [
      ['node:git-1', 'in'],
      ['node:laptop-3', 'out'],
    ]) {
      const meaning = { nodes: [nodes], direction, interface: 'mesh', protocol: 'tcp', ports: ['22'], action: 'drop' };
      const rule = await mesh.ask<{ id: string }>('POST', '/v1/firewall/rules', {
        body: { ...meaning, note: 'no logins' },
      });
      assert.equal(rule.status, 201, rule.text);
      const answer = await settled(everybodySettles, 'laptop-3', 'git-1', 'tcp:22');
      assertDenied(answer, 'firewall', new RegExp(rule.body.id), new RegExp(rule.body.id));
      assert.match(JSON.stringify(answer.steps), /no logins/);
      await mesh.ask('DELETE', `/v1/firewall/rules/${rule.body.id}`);
    }
  });

  it('is that there is no route, until one is approved', async () => {
    const nowhere = await explain('laptop-3', '192.0.2.1', 'tcp:443');
    assert.deepEqual([nowhere.verdict, outcomeOf(nowhere, 'route')], ['unknown', 'unknown']);
    assert.match(nowhere.reason, /the mesh does not decide this/);
    const offered = await explain('laptop-3', '10.20.1.1', 'tcp:443');
    assert.deepEqual([offered.verdict, outcomeOf(offered, 'route')], ['unknown', 'unknown']);
    assert.match(offered.reason, /10\.20\.1\.1 now \(gw-1 offers/);
    assert.match(offered.fix.join('\n'), /mesh node routes gw-1/);
    await mesh.ask('PUT', `/v1/nodes/${gateway.id}/routes`, { body: { approved: NET, shared: NET } });
    await mesh.until(async () => {
      await everybodySettles();
      return (await explain('laptop-3', '10.20.1.1', 'tcp:443')).verdict === 'allowed';
    });
    const through = await explain('laptop-3', '10.20.1.1', 'tcp:443');
    assert.equal(through.to.name, 'gw-1');
    assertDenied(await explain('laptop-3', '10.20.1.1', 'tcp:22'), 'grant', /tcp:22/, /./);
  });

  it('is that the relay is down', async () => {
    const relay = await TestNode.enroll(mesh, { name: 'relay-1', tags: ['team:net'] });
    await relay.settle();
    const proof = { relay_proofs: [{ name: 'fra-1', carries: true }] };
    await laptop.beat({ report: { abilities: EVERYTHING }, observed: proof });
    await git.beat({ report: { abilities: EVERYTHING } });
    await mesh.ask('POST', '/v1/relays', { body: { name: 'fra-1', node: relay.id, host: 'fra-1.example.net' } });
    await mesh.until(async () => {
      await everybodySettles('relay');
      const answer = await explain('laptop-3', 'git-1', 'tcp:22');
      return answer.verdict === 'allowed' && JSON.stringify(answer.steps).includes('fra-1');
    });
    await mesh.ask('POST', `/v1/nodes/${relay.id}/quarantine`, { body: {} });
    const unrelayed = await settled(() => everybodySettles('relay'), 'laptop-3', 'git-1', 'tcp:22');
    assertDenied(unrelayed, 'link', /need .*relay/, /relay/);
    await mesh.ask('DELETE', '/v1/relays/fra-1');
    await mesh.ask('DELETE', `/v1/nodes/${relay.id}`);
  });

  it('is that both are behind NAT and have no relay, with what to do about it', async () => {
    const none = { path: 'none', handshake_at: null, rx_bytes: 0, tx_bytes: 0 } as const;
    const at = async (node: TestNode, endpoints: string[]) => void (await node.beat({ report: { endpoints } }));
    const nothingComesThrough = async () => {
      for (const node of all()) await node.settle();
      await laptop.settle({ observed: { links: [{ ...none, peer: git.id }] } });
      await git.settle({ observed: { links: [{ ...none, peer: laptop.id }] } });
    };
    await at(laptop, ['192.168.1.5:51820']);
    await at(git, ['10.1.2.3:51820']);
    await nothingComesThrough();
    const answer = await explain('laptop-3', 'git-1', 'tcp:22');
    assert.equal(answer.verdict, 'unknown', 'private networks may be routed to each other');
    assert.match(answer.reason, /most likely because both are behind NAT, and there is no relay/);
    assert.match(answer.fix.join(' '), /mesh relay create.*UDP port/);
    await at(laptop, ['192.0.2.7:51820']);
    await nothingComesThrough();
    const found = await explain('laptop-3', 'git-1', 'tcp:22');
    assert.equal(found.verdict, 'unknown');
    assert.doesNotMatch(found.reason, /NAT/, 'one that is public may be found');
    await at(git, []);
    await at(laptop, []);
    await everybodySettles();
  });

  it('is that the link has no recent handshake: then the verdict is unknown', async () => {
    const old = { path: 'direct', handshake_at: utc(mesh.clock.now() - 240_000), rx_bytes: 1, tx_bytes: 1 } as const;
    await laptop.beat({ observed: { links: [{ ...old, peer: git.id }] } });
    await git.beat({ observed: { links: [{ ...old, peer: laptop.id }] } });
    const answer = await explain('laptop-3', 'git-1', 'tcp:22');
    assert.equal(answer.verdict, 'unknown');
    assert.match(answer.reason, /no handshake with .* for 4 minutes/);
  });

  it('is that a handshake lies in the future, or that there was none: then the verdict is unknown', async () => {
    const ahead = {
      path: 'direct',
      handshake_at: utc(mesh.clock.now() + 3_600_000),
      rx_bytes: 1,
      tx_bytes: 1,
    } as const;
    const relayed = { path: 'relay', handshake_at: null, rx_bytes: 0, tx_bytes: 0 } as const;
    for (const link of [ahead, relayed]) {
      await laptop.beat({ observed: { links: [{ ...link, peer: git.id }] } });
      await git.beat({ observed: { links: [{ ...link, peer: laptop.id }] } });
      assert.notEqual((await explain('laptop-3', 'git-1', 'tcp:22')).verdict, 'allowed', JSON.stringify(link));
    }
  });

  it('is that a gateway says it does not forward', async () => {
    await mesh.ask('PUT', `/v1/nodes/${gateway.id}/routes`, { body: { approved: NET, shared: NET } });
    await mesh.until(async () => {
      await everybodySettles();
      return (await explain('laptop-3', '10.20.1.1', 'tcp:443')).verdict === 'allowed';
    });
    const self = { revision: gateway.revision, digest: '0'.repeat(12), error: 'cannot enable forwarding' };
    await gateway.beat({ applied: { ...gateway.applied(), self } });
    const answer = await explain('laptop-3', '10.20.1.1', 'tcp:443');
    assert.equal(answer.verdict, 'unknown');
    assert.match(answer.reason, /cannot enable forwarding/);
  });

  it('is that one of them is quarantined', async () => {
    await mesh.ask('POST', `/v1/nodes/${git.id}/quarantine`, { body: { reason: 'odd traffic' } });
    const apart = await settled(theOthersSettle, 'laptop-3', 'git-1', 'tcp:22');
    assertDenied(apart, 'destination', /quarantined/, /release/);
    await mesh.ask('POST', `/v1/nodes/${git.id}/release`, { body: {} });
    await git.prove();
    assert.equal((await settled(everybodySettles, 'laptop-3', 'git-1', 'tcp:22')).verdict, 'allowed');
  });

  it('is that there is no such node, or none that the caller may see, and both sound the same', async () => {
    const missing = await explain('laptop-3', 'gti-1', 'tcp:22');
    assert.equal(missing.verdict, 'unknown');
    assert.match(`${missing.reason} ${missing.fix.join(' ')}`, /git-1/);
    const { secret } = await mesh.token({
      role: 'viewer',
      scope: { ...PLATFORM, team: 'net', surface: '*', environment: '*' },
    });
    const hidden = await explain('gw-1', 'git-1', 'tcp:22', secret);
    const absent = await explain('gw-1', 'xit-1', 'tcp:22', secret);
    assert.deepEqual(JSON.parse(JSON.stringify(hidden).replaceAll('git-1', 'xit-1')), absent);
    const services = await explain('gw-1', 'service:git-ssh', undefined, secret);
    assert.ok(!JSON.stringify(services).includes('git-1'));
  });

  it('names no node that the caller may not see, nor quotes notes that might', async () => {
    await mesh.ask('PUT', `/v1/nodes/${gateway.id}/routes`, { body: { approved: NET, shared: NET } });
    const { secret } = await mesh.token({ role: 'viewer', scope: PLATFORM });
    await mesh.until(async () => {
      await everybodySettles();
      return (await explain('laptop-3', '10.20.1.1', 'tcp:443', secret)).verdict === 'allowed';
    });
    const through = JSON.stringify(await explain('laptop-3', '10.20.1.1', 'tcp:443', secret));
    assert.ok(!through.includes('gw-1') && !through.includes(gateway.id), through);
    const record = await mesh.ask<Node>('GET', `/v1/nodes/${laptop.id}`, { token: secret });
    assert.deepEqual(record.body.routes, []);
    assert.deepEqual((await mesh.ask<Node>('GET', `/v1/nodes/${laptop.id}`)).body.routes, ['10.20.0.0/16 via gw-1']);
    // To a node without a grant to it, it looks as if no node forwarded to it.
    const elsewhere = await explain('desk-9', '10.20.1.1', 'tcp:443', secret);
    const nowhere = await explain('desk-9', '192.0.2.1', 'tcp:443', secret);
    assert.equal(elsewhere.reason.replace('10.20.1.1', ''), nowhere.reason.replace('192.0.2.1', ''));
    assert.ok(!JSON.stringify(elsewhere).includes('10.20.0.0/16'), JSON.stringify(elsewhere));
    const missed = JSON.stringify(await explain('desk-9', 'git-1', 'tcp:22', secret));
    assert.ok(!missed.includes('role:dev'), missed);
    const quoted = await explain('laptop-3', 'git-1', 'tcp:22');
    assert.match(JSON.stringify(quoted), /node-of-others/);
    assert.ok(!JSON.stringify(await explain('laptop-3', 'git-1', 'tcp:22', secret)).includes('node-of-others'));
  });

  it('is refused for a question that cannot be parsed', async () => {
    for (const port of ['22', 'tcp', 'tcp:0', 'tcp:99999', 'sctp:1', 'tcp:1-2', '*']) {
      const got = await mesh.ask('GET', `/v1/acls/explain?from=laptop-3&to=git-1&port=${encodeURIComponent(port)}`);
      assert.deepEqual([got.status, got.body.code], [422, 'invalid'], port);
    }
  });
});
