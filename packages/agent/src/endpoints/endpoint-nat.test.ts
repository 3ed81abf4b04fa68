/** The whole of it in a real network: interfaces of a kernel, a NAT of nftables, coturn as the relay. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { NatLab } from '../../test/endpoint-nat.ts';

/** The endpoints of a node behind the NAT, with these in between. Each test has a port of its own: a NAT remembers what it did. */
const around = (port: number, ...outside: readonly string[]) => [
  `[2001:db8:1::2]:${port}`,
  ...outside,
  `192.168.77.2:${port}`,
];

describe('behind a NAT', { timeout: 300_000 }, () => {
  const lab = new NatLab();
  before(async () => {
    await lab.build();
    for (const host of ['203.0.113.9', '2001:db8:9::9']) await relayAnswers(host); // it opens one after the other
  });
  after(() => lab.remove());
  beforeEach(() => lab.translate());

  it('a node finds the address and the port outside, over IPv4 and IPv6', async () => {
    const say = lab.finder('relay.test', 51_821);
    const { mapped, endpoints, relays, problem } = await say('probe');
    assert.deepEqual(mapped, [
      { address: '203.0.113.1', port: 51_821, keeps_port: true },
      { address: '2001:db8:1::2', port: 51_821, keeps_port: true },
    ]);
    assert.deepEqual(endpoints, around(51_821, '203.0.113.1:51821'));
    assert.deepEqual([relays.map(({ name }) => name), problem], [['fra-1'], null]);
  });

  it('a node goes on telling the port that a NAT has chosen, while WireGuard has its own', async () => {
    await lab.translate({ from: 51_822, to: 40_001 });
    const say = lab.finder('203.0.113.9', 51_822);
    const { mapped } = await say('probe');
    assert.deepEqual(mapped, [{ address: '203.0.113.1', port: 40_001, keeps_port: false }]);
    await say('take');
    assert.deepEqual((await say('look')).endpoints, around(51_822, '203.0.113.1:40001'));
  });

  it('a node that comes too late tells the address with its own port', async () => {
    await lab.translate({ from: 51_823, to: 40_001 });
    const say = lab.finder('203.0.113.9', 51_823);
    await say('take');
    const { mapped, endpoints, problem } = await say('probe');
    assert.deepEqual([mapped, endpoints, problem], [[], around(51_823, '203.0.113.1:51823'), null]);
  });

  it('a node notices that the NAT has another address', async () => {
    const say = lab.finder('203.0.113.9', 51_824);
    await say('probe');
    await lab.ip(lab.router, 'addr del 203.0.113.1/24 dev out0');
    await lab.ip(lab.router, 'addr add 203.0.113.5/24 dev out0');
    assert.deepEqual((await say('look')).endpoints, around(51_824, '203.0.113.5:51824'));
    await lab.ip(lab.router, 'addr del 203.0.113.5/24 dev out0');
    await lab.ip(lab.router, 'addr add 203.0.113.1/24 dev out0');
    assert.deepEqual((await say('look')).endpoints, around(51_824, '203.0.113.1:51824'));
  });

  it('a node sees a relay by IPv6 alone', async () => {
    const { mapped, endpoints } = await lab.finder('2001:db8:9::9', 51_825)('probe');
    assert.deepEqual(mapped, [{ address: '2001:db8:1::2', port: 51_825, keeps_port: true }]);
    assert.deepEqual(endpoints, around(51_825));
  });

  it('a node whose interface goes away has no endpoint left', async () => {
    const say = lab.finder('203.0.113.9', 51_826);
    await say('probe');
    await lab.ip(lab.node, 'link set lan0 down');
    const { endpoints, relays, problem } = await say('look');
    assert.deepEqual([endpoints, relays], [[], []]);
    assert.match(problem ?? '', /^relay fra-1 at 203\.0\.113\.9, port 3478: .*ENETUNREACH/);
  });

  /** It takes a moment to start. Until then the finder gets no answer and says so. */
  async function relayAnswers(host: string): Promise<void> {
    const say = lab.finder(host);
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { problem } = await say('look');
      if (problem === null) return;
      if (Date.now() > deadline) throw new Error(problem);
      await pause(50);
    }
  }
});
