/** The link between two nodes, as callers see it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type LinkOverTime as Link, type LinkReport, utc } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

describe('a link', () => {
  let mesh: TestCoordinator;
  let ends: readonly [TestNode, TestNode];
  before(async () => {
    mesh = await TestCoordinator.start();
    const tags = ['team:links'];
    ends = [await TestNode.enroll(mesh, { tags }), await TestNode.enroll(mesh, { tags })];
  });
  after(() => mesh.close());

  const shown = async (token?: string) => {
    const [a, b] = ends;
    return (await mesh.ask<Link>('GET', `/v1/peers/${a.id}/${b.id}`, token === undefined ? {} : { token })).body;
  };
  type Said = Omit<Partial<LinkReport>, 'handshake_at'> & { readonly path: LinkReport['path']; readonly ago_s: number };
  const say = async (at: 0 | 1, { ago_s, ...said }: Said, report: object = {}) => {
    const handshake_at = new Date(mesh.clock.now() - ago_s * 1000).toISOString();
    const link = { rx_bytes: 0, tx_bytes: 0, ...said, peer: ends[1 - at]?.id ?? '', handshake_at };
    const got = await (at === 0 ? ends[0] : ends[1]).beat({ complete: true, report, observed: { links: [link] } });
    assert.equal(got.status, 200, got.text);
  };

  it('that is not in use is neither up nor down', async () => {
    const cases: readonly [Said, Said, [Link['state'], Link['path']]][] = [
      [{ path: 'idle', ago_s: 900 }, { path: 'idle', ago_s: 900 }, ['idle', 'idle']],
      [{ path: 'idle', ago_s: 20 }, { path: 'idle', ago_s: 20 }, ['idle', 'idle']],
      [{ path: 'idle', ago_s: 900 }, { path: 'relay', ago_s: 900 }, ['idle', 'idle']],
      [{ path: 'direct', ago_s: 900 }, { path: 'idle', ago_s: 900 }, ['idle', 'idle']],
      // One that an end uses is what the handshakes say.
      [{ path: 'relay', ago_s: 20 }, { path: 'idle', ago_s: 20 }, ['up', 'relay']],
      [{ path: 'idle', ago_s: 900 }, { path: 'relay', ago_s: 20 }, ['half', 'relay']],
      [{ path: 'none', ago_s: 900 }, { path: 'idle', ago_s: 900 }, ['down', 'none']],
    ];
    for (const [a, b, expected] of cases) {
      await say(0, a);
      await say(1, b);
      const { state, path, why } = await shown();
      assert.deepEqual([state, path], expected, JSON.stringify([a, b]));
      if (state === 'idle') assert.equal(why, null);
    }
  });

  it('that is relayed says why, and by which relays to those who may know them', async () => {
    const runs = await TestNode.enroll(mesh, { tags: ['team:network'] });
    await mesh.ask('POST', '/v1/relays', { body: { name: 'fra-1', node: runs.id, host: 'fra-1.example.net' } });
    await mesh.ask('POST', '/v1/relays', {
      body: { name: 'ams-1', secret: 'shared-with-it-16', host: 'ams-1.example.net' },
    });
    const tried = [{ endpoint: '192.0.2.8:51820', outcome: 'silent' as const }];
    const places = { ago_s: 10, path: 'relay' as const, tried };
    const over = (relay: string) => ({ via: { relay, transport: 'udp' as const } });
    const why = 'fra-1 answered first.';
    const endpoint = '198.51.100.9:49160';
    await say(0, { ...places, ...over('fra-1'), relay: 'ams-1', why }, { nat: 'address-dependent' });
    await say(1, { ...places, ...over('ams-1'), relay: 'fra-1', endpoint }, { nat: 'endpoint-independent' });
    const [a, b] = ends.map(({ enrolled }) => enrolled.name);
    const whole = await shown();
    const because = `${a} is behind a NAT that shows another port to each peer (address-dependent), and ${b}'s NAT lets in only what it sent to first`;
    assert.equal(
      whole.why,
      `${because}, and ${a} says: fra-1 answered first; relayed by fra-1 and ams-1, both over UDP.`,
    );
    assert.deepEqual([whole.state, whole.path, whole.a_view?.tried], ['up', 'relay', tried]);
    assert.deepEqual([whole.a_view?.relay, whole.a_view?.via], ['ams-1', { relay: 'fra-1', transport: 'udp' }]);
    assert.equal(whole.b_view?.endpoint, endpoint);
    const { secret: reader } = await mesh.token({ role: 'viewer', scope: { team: 'links' } });
    const part = await shown(reader);
    assert.doesNotMatch(JSON.stringify(part), /fra-1/);
    assert.deepEqual([part.a_view?.relay, part.a_view?.via?.relay, part.b_view?.relay], ['ams-1', null, null]);
    assert.equal(part.b_view?.endpoint, null, 'the address of a relay is not shown either');
    assert.equal(
      part.why,
      `${because}, and ${a} says: a relay answered first; relayed by a relay that you may not see and ams-1, both over UDP.`,
    );
  });

  it('has the ways that its packets took, newest first, for each end', async () => {
    const relayed = (own: string, relay: string) =>
      ({
        path: 'relay',
        ago_s: 1,
        relay,
        via: { relay: own, transport: 'tls' },
        endpoint: '198.51.100.9:49160',
      }) as const;
    const begun = (await shown()).a_view?.history.length ?? 0;
    const at: number[] = [];
    using _still = mesh.clock.holdStill();
    for (const said of [
      { path: 'idle', ago_s: 1 },
      { ...relayed('fra-1', 'ams-1'), why: 'fra-1 answered first.' },
      { ...relayed('fra-1', 'ams-1'), endpoint: '198.51.100.9:50000', rx_bytes: 900, why: 'fra-1 answers alone.' },
      { path: 'direct', ago_s: 1, endpoint: '192.0.2.8:51820' },
      { path: 'direct', ago_s: 1, endpoint: '192.0.2.8:51820', rtt_ms: 3, tx_bytes: 7 },
      { path: 'direct', ago_s: 1, endpoint: '192.0.2.8:40000' },
    ] as const) {
      mesh.clock.advance(5);
      at.push(mesh.clock.now());
      await say(0, said);
    }
    const since = (index: number) => utc(at[index] ?? 0);
    const direct = { path: 'direct', relay: null, via: null, why: null } as const;
    const expected = [
      { ...direct, since: since(5), endpoint: '192.0.2.8:40000' },
      { ...direct, since: since(3), endpoint: '192.0.2.8:51820' },
      {
        since: since(1),
        path: 'relay',
        relay: 'ams-1',
        via: { relay: 'fra-1', transport: 'tls' },
        endpoint: '198.51.100.9:50000',
        why: 'fra-1 answers alone.',
      },
      { ...direct, since: since(0), path: 'idle', endpoint: null },
    ];
    const whole = await shown();
    assert.deepEqual(whole.a_view?.history.slice(0, -begun), expected, 'each report was a complete one');
    const { history, ...now } = whole.a_view ?? assert.fail();
    assert.deepEqual([history[0]?.path, history[0]?.endpoint], [now.path, now.endpoint]);
    const { body: list } = await mesh.ask<{ items: object[] }>('GET', `/v1/peers?node=${ends[0].id}`);
    assert.doesNotMatch(JSON.stringify(list), /history/);
    const { secret: reader } = await mesh.token({ role: 'viewer', scope: { team: 'links' } });
    const part = await shown(reader);
    assert.doesNotMatch(JSON.stringify(part), /fra-1/);
    assert.deepEqual(part.a_view?.history[2], {
      ...expected[2],
      via: { relay: null, transport: 'tls' },
      why: 'a relay answers alone.',
    });
    await say(1, { ...relayed('ams-1', 'fra-1') });
    const hidden = (await shown(reader)).b_view?.history[0];
    assert.deepEqual([hidden?.relay, hidden?.endpoint], [null, null]);
  });

  it('keeps no more than its last 20 ways', async () => {
    for (let turn = 0; turn < 25; turn++) {
      await say(0, { path: 'direct', ago_s: 1, endpoint: `192.0.2.8:${1000 + turn}` });
    }
    const ports = (await shown()).a_view?.history.map(({ endpoint }) => endpoint?.split(':')[1]);
    assert.deepEqual(
      ports,
      Array.from({ length: 20 }, (_, back) => `${1024 - back}`),
    );
  });

  it('begins its history anew with another start of the coordinator', async () => {
    await mesh.down();
    await mesh.up();
    await say(0, { path: 'idle', ago_s: 1 });
    assert.deepEqual(
      (await shown()).a_view?.history.map(({ path }) => path),
      ['idle'],
    );
  });
});
