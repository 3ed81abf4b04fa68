/** Flows between hosts in namespaces, tried from one end and watched at the other. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProbeFlow, ProbeResult } from '@meshwork/contract';
import { until, wire } from '../../test/namespaces.ts';
import { flowBetween, newId, ProbedHost } from '../../test/probed-host.ts';
import { takePort } from '../../test/wireguard-places.ts';
import { ruleCounts } from './rule-counts.ts';

/** For what is awaited: no test waits for it to pass. */
const LONG_MS = 10_000;
/** For what does not come. */
const SHORT_MS = 300;

const FILTER = `table inet mesh {
  chain input {
    type filter hook input priority 0; policy accept;
    tcp dport 7 accept comment "ours"
    tcp dport 9 counter drop comment "theirs"
    udp dport 9 drop
  }
  chain forward {
    type filter hook forward priority 0; policy drop;
    tcp dport 7 accept
    tcp sport 7 accept
  }
}
`;

describe('probes of flows', { timeout: 300_000 }, () => {
  let [one, two, behind]: ProbedHost[] = [];
  const all = new AsyncDisposableStack();
  const hosts = () => {
    if (one === undefined || two === undefined || behind === undefined) return assert.fail();
    return { one, two, behind };
  };

  before(async () => {
    one = all.use(await ProbedHost.make(1));
    two = all.use(await ProbedHost.make(2));
    behind = all.use(await ProbedHost.make(3));
    await wire(one.space, two.space);
    for (const host of [one, two]) await host.join();
    await wire(two.space, behind.space, ['lan0', 'lan0']);
    await two.space.ip('address add 10.20.0.1/24 dev lan0', 'link set dev lan0 up');
    await behind.space.ip(
      'address add 10.20.0.9/24 dev lan0',
      'link set dev lan0 up',
      'route add default via 10.20.0.1',
    );
    await two.space.run('sysctl', ['-qw', 'net.ipv4.ip_forward=1']);
    await one.space.ip('route add 10.20.0.0/24 via 100.64.0.2 dev mesh0');
    await wire(one.space, behind.space, ['lan1', 'lan1']); // of the host itself, and none of the mesh
    await one.space.ip('address add 192.168.7.1/24 dev lan1', 'link set dev lan1 up');
    await two.space.run('nft', ['-f', '-'], { input: FILTER });
    await one.start();
    await two.start();
  });
  after(() => all.disposeAsync());

  const tried = async (flow: ProbeFlow, within_ms = LONG_MS): Promise<ProbeResult> =>
    await hosts().one.ask({ id: newId(), attempt: { flow, within_ms } });
  const outcomeOf = async (flow: ProbeFlow, within_ms?: number) => (await tried(flow, within_ms)).attempt?.outcome;
  /** A flow that is tried at one end while the other watches. */
  const watched = async (flow: ProbeFlow, within_ms = LONG_MS) => {
    const id = newId();
    const { two } = hosts();
    const begun = await two.ask({ id, watch: { flow, for_ms: LONG_MS } });
    assert.deepEqual(begun, { id, watch: { state: 'begun', arrived: 0, passed: 0 } });
    const [attempt, { watch }] = await Promise.all([tried(flow, within_ms), two.result(id)]);
    assert.equal(watch?.state, 'ended');
    return { outcome: attempt.attempt?.outcome, watch };
  };
  const probeTables = async ({ space }: ProbedHost) =>
    (await space.run('nft', ['list', 'tables'])).split('\n').filter((line) => line.includes('mesh_probe_'));

  for (const family of [4, 6] as const)
    describe(`over IPv${family}`, () => {
      it('a connection that is let in: connected, or refused where nothing listens', async () => {
        const { one, two } = hosts();
        assert.equal(await outcomeOf(flowBetween(one, two, {}, family)), 'refused');
        await using _ = await takePort(two.space, 7, 'tcp');
        const { outcome, watch } = await watched(flowBetween(one, two, { source_port: 41_000 + family }, family));
        assert.equal(outcome, 'connected');
        assert.ok((watch?.arrived ?? 0) > 0 && (watch?.passed ?? 0) > 0);
        assert.deepEqual(
          [watch?.interface, watch?.verdict],
          ['mesh0', 'inet mesh input: tcp dport 7 accept comment "ours"'],
        );
      });

      it('a connection that a rule drops: it times out, and the rule is named', async () => {
        const { one, two } = hosts();
        const { outcome, watch } = await watched(
          flowBetween(one, two, { port: 9, source_port: 42_000 + family }, family),
          SHORT_MS,
        );
        assert.equal(outcome, 'timed_out');
        assert.deepEqual([(watch?.arrived ?? 0) > 0, watch?.passed], [true, 0]);
        assert.equal(watch?.verdict, 'inet mesh input: tcp dport 9 counter drop comment "theirs"');
      });

      it('a datagram: refused, sent, dropped or answered', async () => {
        const { one, two } = hosts();
        const udp = (port: number) =>
          flowBetween(one, two, { protocol: 'udp', port, source_port: 43_000 + port + family }, family);
        assert.equal(await outcomeOf(udp(11)), 'refused');
        assert.equal((await watched(udp(9), SHORT_MS)).watch?.verdict, 'inet mesh input: udp dport 9 drop');
        const host = family === 4 ? '0.0.0.0' : '::';
        const echo = two.space.script(`import { createSocket } from 'node:dgram';
          const socket = createSocket('udp${family}').on('message', (text, { port, address }) => socket.send(text, port, address));
          socket.bind(12, '${host}', () => console.log('bound'));`);
        await new Promise((resolve) => echo.stdout?.once('data', resolve));
        const { outcome, watch } = await watched(udp(12));
        echo.kill('SIGKILL');
        assert.deepEqual([outcome, watch?.arrived, watch?.passed], ['answered', 1, 1]);
      });

      it('an echo request', async () => {
        const { one, two } = hosts();
        const { outcome, watch } = await watched(flowBetween(one, two, { protocol: 'icmp' }, family));
        assert.deepEqual([outcome, watch?.arrived, watch?.passed], ['answered', 1, 1]);
        const absent = {
          ...flowBetween(one, two, { protocol: 'icmp' }, family),
          to: family === 4 ? '100.64.0.77' : 'fd64::77',
        };
        assert.notEqual(await outcomeOf(absent, SHORT_MS), 'answered');
      });
    });

  it('a flow that is forwarded is followed to the end of the filters, and so is one that is not', async () => {
    const { one, two } = hosts();
    const to = '10.20.0.9';
    const let_through = await watched({ ...flowBetween(one, two), to, source_port: 44_000 });
    assert.equal(let_through.outcome, 'refused');
    assert.deepEqual(
      [let_through.watch?.passed, let_through.watch?.verdict],
      [1, 'inet mesh forward: tcp dport 7 accept'],
    );
    const dropped = await watched({ ...flowBetween(one, two), to, port: 8, source_port: 44_001 }, SHORT_MS);
    assert.deepEqual([dropped.watch?.passed, dropped.watch?.verdict], [0, 'inet mesh forward: policy drop']);
  });

  it('a watch sees the packets of its own flow only, and ends by itself', async () => {
    const { one, two } = hosts();
    const [id, other] = [newId(), newId()];
    const flow = flowBetween(one, two, { port: 9, source_port: 45_000 });
    await two.ask({ id, watch: { flow: { ...flow, port: 10 }, for_ms: SHORT_MS * 4 } });
    await two.ask({ id: other, watch: { flow, for_ms: LONG_MS } });
    await tried(flow, SHORT_MS);
    assert.deepEqual((await two.result(id)).watch, { state: 'ended', arrived: 0, passed: 0 });
    assert.notEqual((await two.result(other)).watch?.arrived, 0);
    await until('their tables are gone', async () => (await probeTables(two)).length === 0);
  });

  it('only goes through the mesh, and only from this node', async () => {
    const { one, two } = hosts();
    const flow = flowBetween(one, two, { source_port: 46_000 });
    const elsewhere = ['127.0.0.1', '192.168.7.1', '192.168.7.9', one.address(4), '255.255.255.255', '224.0.0.1'];
    elsewhere.push('169.254.169.254', '0.0.0.0'); // also where a route leads there
    await one.space.ip('route add 169.254.0.0/16 via 100.64.0.2 dev mesh0');
    for (const to of elsewhere) {
      const { error, attempt } = await tried({ ...flow, to });
      assert.match(error ?? attempt?.outcome ?? '', /^this host does not send packets for .* through the mesh$/, to);
    }
    // Without a route there is no way there at all, and nothing is sent.
    assert.equal((await tried({ ...flow, to: '198.51.100.7' })).attempt?.outcome, 'unreachable');
    assert.match((await tried({ ...flow, from: '100.64.0.2' })).error ?? '', /is not an address of this node/);
    assert.match((await tried({ ...flow, to: 'fd64::2' })).error ?? '', /two IPv4 or two IPv6/);
    assert.match((await tried({ ...flow, to: '-h' })).error ?? '', /two IPv4 or two IPv6/);
    const { error } = await two.ask({ id: newId(), watch: { flow: { ...flow, to: '::1 }' }, for_ms: 10 } });
    assert.match(error ?? '', /two IPv4 or two IPv6/);
  });

  it('says how links and the filter are, and refuses flows where an operator switched them off', async () => {
    const { behind } = hosts();
    await behind.start('off');
    const look = { peers: ['node_a'], rules: [], within_ms: 10 };
    assert.deepEqual((await behind.ask({ id: newId(), look })).look, {
      links: [{ peer: 'node_a', heard: true, took_ms: 1 }],
      filter: 'the table is not there',
      applied: {},
      foreign: [],
      rules: [],
    });
    const flow = flowBetween(behind, behind);
    for (const probe of [{ attempt: { flow, within_ms: 10 } }, { watch: { flow, for_ms: 10 } }])
      assert.match((await behind.ask({ id: newId(), ...probe })).error ?? '', /MESH_PROBES=off/);
    const unknown = { id: newId(), listen: {} };
    assert.match((await behind.ask(unknown)).error ?? '', /does not know this kind/);
  });

  it('says how to allow echo requests where the host does not', async () => {
    const { one, two } = hosts();
    const allow = (range: string) => one.space.run('sysctl', ['-qw', `net.ipv4.ping_group_range=${range}`]);
    await allow('1 0');
    assert.match((await tried(flowBetween(one, two, { protocol: 'icmp' }))).error ?? '', /sysctl -w net\.ipv4\.ping/);
    await allow('0 2147483647');
    assert.equal(await outcomeOf(flowBetween(one, two, { protocol: 'icmp' })), 'answered');
  });

  it('runs eight at a time, and leaves no table behind: when it is stopped, or killed and started again', async () => {
    const { one, two } = hosts();
    await two.stop(); // one that has said all may still be taking its table away
    await two.start();
    const ids = Array.from({ length: 9 }, newId);
    for (const [index, id] of ids.entries())
      two.begin({ id, watch: { flow: flowBetween(one, two, { source_port: 47_000 + index }), for_ms: LONG_MS } });
    const states = await Promise.all(ids.map((id) => two.result(id)));
    assert.equal(states.filter(({ watch }) => watch?.state === 'begun').length, 8);
    assert.deepEqual(states.at(-1)?.error, 'this node runs 8 probes already');
    assert.equal((await probeTables(two)).length, 8);
    await two.stop();
    assert.deepEqual(await probeTables(two), []);

    await two.start();
    await two.ask({ id: newId(), watch: { flow: flowBetween(one, two), for_ms: LONG_MS } });
    await two.kill();
    assert.equal((await probeTables(two)).length, 1);
    await two.start();
    assert.deepEqual(await probeTables(two), []);
    assert.match(
      await two.space.run('nft', ['list', 'tables']),
      /table inet mesh\n/,
      'the filter itself is left alone',
    );
  });

  it('reads what host rules have dropped', async () => {
    const { one } = hosts();
    assert.deepEqual(await ruleCounts(new Set(['a']), one.space.run), [], 'without a table there is nothing to read');
    const counted = (packets: number) => `counter packets ${packets} bytes 0 drop comment`;
    await one.space.run('nft', ['-f', '-'], {
      input: `table inet mesh {
  chain host_in {
    ip saddr 10.0.0.1 ${counted(3)} "rule a"
    ip6 saddr fd00::1 ${counted(4)} "rule a"
    tcp dport 1 ${counted(5)} "rule b"
    tcp dport 2 return comment "rule c"
  }
  chain host_out {
    tcp dport 1 ${counted(6)} "rule d"
  }
}
`,
    });
    const counts = await ruleCounts(new Set(['a', 'c', 'd', 'gone']), one.space.run);
    assert.deepEqual(counts, [
      { rule: 'a', packets: 7 },
      { rule: 'c', packets: 0 },
      { rule: 'd', packets: 6 },
    ]);
  });
});
