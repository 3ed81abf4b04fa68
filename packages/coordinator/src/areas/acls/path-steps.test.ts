/** What an explanation says of the name, the path and the relays between two nodes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ExplainCheck, type Explanation, type Link, type LinkReport, utc } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('the steps name, path and relay', () => {
  let mesh: TestCoordinator;
  let laptop: TestNode;
  let git: TestNode;
  let reader: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    const tags = ['team:links'];
    laptop = await TestNode.enroll(mesh, { name: 'laptop-3', tags });
    git = await TestNode.enroll(mesh, {
      name: 'git-1',
      tags,
      services: [{ name: 'git-ssh', protocol: 'tcp', port: 22 }],
    });
    const runs = await TestNode.enroll(mesh, { name: 'relay-1', tags: ['team:network'] });
    await runs.settle();
    await mesh.ask('POST', '/v1/relays', { body: { name: 'fra-1', node: runs.id, host: 'fra-1.example.net' } });
    await mesh.ask('POST', '/v1/relays', {
      body: { name: 'ams-1', secret: 'shared-with-it-16', host: 'ams-1.example.net' },
    });
    const policy = {
      groups: { links: ['tag:team:links'] },
      grants: [{ from: 'links', to: 'links', allow: ['tcp:22'] }],
    };
    await mesh.ask('PUT', '/v1/acls', { body: policy });
    for (const node of [laptop, git, laptop]) await node.settle();
    ({ secret: reader } = await mesh.token({ role: 'viewer', scope: { team: 'links' } }));
  });
  after(() => mesh.close());

  const explain = async (to: string, token?: string) => {
    const path = `/v1/acls/explain?from=laptop-3&to=${to}&port=tcp:22`;
    const { body } = await mesh.ask<Explanation>('GET', path, token === undefined ? {} : { token });
    const step = (check: ExplainCheck) => body.steps.find((one) => one.check === check);
    return { ...body, step, words: (check: ExplainCheck) => step(check)?.detail };
  };
  type Said = Pick<LinkReport, 'path'> & Partial<LinkReport>;
  const say = async (node: TestNode, said: Said) => {
    const peer = node === laptop ? git.id : laptop.id;
    const link = { handshake_at: utc(mesh.clock.now()), rx_bytes: 1, tx_bytes: 1, ...said, peer };
    assert.equal((await node.beat({ observed: { links: [link] } })).status, 200);
  };

  it('say how the name resolves on the source, once its agent reports it', async () => {
    assert.equal((await explain('git-1')).step('name'), undefined, 'an older agent does not say');
    await laptop.beat({ report: { names: { resolver: 'systemd-resolved' } } });
    const addresses = `${git.enrolled.address.replace('/32', '')} and ${git.enrolled.address6.replace('/128', '')}`;
    assert.deepEqual((await explain('git-1')).step('name'), {
      check: 'name',
      outcome: 'pass',
      detail: `On laptop-3, git-1.mesh leads to ${addresses}, by systemd-resolved.`,
    });
    assert.match((await explain('service:git-ssh')).words('name') ?? '', /git-ssh\.svc\.mesh leads to/);
    assert.equal((await explain(git.id)).step('name'), undefined, 'no program looks up an id');
    await laptop.beat({ report: { names: { resolver: '/etc/hosts', problem: 'port 53 is taken' } } });
    const service = await explain('service:git-ssh');
    assert.equal(service.step('name')?.outcome, 'note');
    assert.match(service.words('name') ?? '', /only those of nodes \(port 53 is taken\)\. Packets are not affected\.$/);
  });

  it('say where a direct path leads, and need no relay', async () => {
    const tried = [
      { endpoint: '10.0.0.8:51820', outcome: 'unreachable' as const },
      { endpoint: '192.0.2.8:51820', outcome: 'answered' as const, rtt_ms: 8.4 },
    ];
    await say(laptop, { path: 'direct', endpoint: '192.0.2.8:51820', rtt_ms: 8.4, tried });
    await say(git, { path: 'direct', endpoint: '192.0.2.7:51820' });
    const answer = await explain('git-1');
    assert.equal(
      answer.words('path'),
      'Directly: laptop-3 sends to 192.0.2.8:51820 (8.4 ms) and git-1 sends to 192.0.2.7:51820. ' +
        'Of git-1, laptop-3 tried 10.0.0.8:51820 (no route) and 192.0.2.8:51820 (answered in 8.4 ms).',
    );
    assert.deepEqual([answer.verdict, answer.step('relay')], ['allowed', undefined]);
  });

  it('say why a path is relayed and how each end reaches its relay, to those who may know the relays', async () => {
    const tried = [{ endpoint: '192.0.2.8:51820', outcome: 'silent' as const }];
    await laptop.beat({
      report: { nat: 'udp-blocked' },
      observed: { relays: [{ name: 'fra-1', rtt_ms: 12 }], relay_proofs: [{ name: 'fra-1', carries: true }] },
    });
    await say(laptop, {
      path: 'relay',
      relay: 'ams-1',
      via: { relay: 'fra-1', transport: 'tls' },
      why: 'fra-1 answered first.',
      tried,
    });
    await say(git, { path: 'relay', relay: 'fra-1', via: { relay: 'ams-1', transport: 'udp' } });
    const answer = await explain('git-1');
    const link = (await mesh.ask<Link>('GET', `/v1/peers/${laptop.id}/${git.id}`)).body;
    assert.ok(link.why?.includes('fra-1'), link.why ?? '');
    assert.equal(answer.words('path'), `${link.why} Of git-1, laptop-3 tried 192.0.2.8:51820 (no answer).`);
    assert.match(answer.words('relay') ?? '', /^laptop-3 uses the relay fra-1 \(over TLS, 12 ms\), which is up\./);
    assert.match(answer.words('relay') ?? '', /git-1 uses the relay ams-1 \(over UDP\), which is down\.$/);
    const part = await explain('git-1', reader);
    assert.doesNotMatch(JSON.stringify(part), /fra-1|relay-1/);
    assert.match(part.words('relay') ?? '', /^laptop-3 uses a relay that you may not see \(over TLS, 12 ms\)/);
    assert.match(part.words('path') ?? '', /laptop-3 says: a relay answered first/);
  });

  it('say that a relay is draining, and never more of a relay than the link does', async () => {
    await git.beat({ observed: { relay_proofs: [{ name: 'ams-1', carries: true }] } });
    const sound = await explain('git-1');
    assert.deepEqual([sound.verdict, sound.step('relay')?.outcome], ['allowed', 'pass'], sound.reason);
    await mesh.ask('POST', '/v1/relays/fra-1/drain', { body: {} });
    const drained = await explain('git-1');
    assert.deepEqual([drained.verdict, drained.step('relay')?.outcome], ['allowed', 'note'], drained.reason);
    assert.match(drained.words('relay') ?? '', /fra-1 \(over TLS, 12 ms\), which is up and draining/);
    await laptop.beat({ observed: { relay_proofs: [] } });
    const down = await explain('git-1');
    assert.deepEqual(
      [down.verdict, down.step('relay')?.outcome, down.step('link')?.outcome],
      ['denied', 'fail', 'fail'],
    );
    assert.match(down.reason, /need the relay fra-1, which is down/);
  });
});
