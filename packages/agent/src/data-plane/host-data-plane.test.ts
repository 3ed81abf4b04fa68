/** Which engines a section concerns, in which order, and what is reported. The engines themselves are tested beside their code. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AppliedSection, HeartbeatReply, Peer, SelfSection } from '@meshwork/contract';
import { digestOf, digestText } from '@meshwork/contract/digest';
import { RecordedEngines } from '../../test/recorded-engines.ts';
import { HeldView } from '../view/held-view.ts';
import { HostDataPlane } from './host-data-plane.ts';

const PEERS: Peer[] = ['a', 'b'].map((name, index) => ({
  id: `node_${name}`,
  name,
  wireguard_key: `key-${name}`,
  address: `100.64.0.${index + 2}/32`,
  address6: `fd6d::${index + 2}/128`,
  endpoints: [],
  relay: null,
}));
const REPLY: HeartbeatReply = {
  revision: 7,
  next_s: 0,
  self: {
    name: 'git-1',
    address: '100.64.0.1/32',
    address6: 'fd6d::1/128',
    tags: [],
    state: 'active',
    routes: [],
    networks: ['100.64.0.0/10'],
  },
  peers: { full: PEERS },
  acl: { full: [] },
  firewall: [],
  relay: null,
  ingress: [],
};

function scene(changes: Partial<HeartbeatReply> = {}) {
  const recorded = new RecordedEngines();
  const view = new HeldView();
  view.take({ ...REPLY, ...changes });
  let private_key = 'old';
  const key = {
    get private_key() {
      return private_key;
    },
    async replace(operation: string, use: (key: string) => Promise<void>) {
      await use(`key of ${operation}`);
      private_key = `key of ${operation}`;
      return 'public half';
    },
  };
  let at = Date.UTC(2026, 10, 15, 12);
  const now = () => at;
  const pass = (ms: number) => {
    at += ms;
  };
  const engines = recorded.on({ key, offered: ['10.20.0.0/16'], now });
  const plane = new HostDataPlane({ engines, now, keptOut: () => [], relays: () => [] });
  const drifted: (readonly AppliedSection[])[] = [];
  plane.onChange((sections) => void drifted.push(sections));
  return { recorded, view, plane, drifted, pass };
}

describe('a host', () => {
  it('has its packet filter before its interface, and its interface before its addresses', async () => {
    const { recorded, plane, view } = scene();
    assert.deepEqual(await plane.apply('self', view), { revision: 7, digest: view.digestOf('self') });
    assert.deepEqual(recorded.calls, ['firewall.apply', 'tunnel.open old', 'network.apply', 'names.apply']);
  });

  it('filters before it has peers', async () => {
    const { recorded, plane, view } = scene();
    assert.deepEqual(await plane.apply('peers', view), { revision: 7, digest: view.digestOf('peers') });
    assert.deepEqual(recorded.calls, ['firewall.apply', 'tunnel.setPeers', 'names.apply']);
  });

  it('opens nothing when the packet filter cannot be loaded', async () => {
    const { recorded, plane, view } = scene();
    recorded.failing.set('firewall.apply', new Error('nft is not installed'));
    for (const section of ['self', 'peers', 'acl', 'firewall'] as const) {
      await assert.rejects(plane.apply(section, view), /nft is not installed/);
    }
    assert.deepEqual([...new Set(recorded.calls)], ['firewall.apply']);
  });

  it('says which peers are in effect when one is not, and why', async () => {
    const { recorded, plane, view } = scene();
    recorded.wrong = new Map([['node_b', 'is missing']]);
    const applied = await plane.apply('peers', view);
    assert.deepEqual(applied, { revision: 7, digest: digestText(digestOf(PEERS[0])), error: 'b: is missing' });
  });

  it('does not call allowed what a peer that is not there may do', async () => {
    const { recorded, plane, view } = scene();
    recorded.wrong = new Map([['node_b', 'is missing']]);
    await assert.rejects(plane.apply('acl', view), /^Error: b: is missing$/);
  });

  it('applies the view as it was when apply was called, whatever arrives while it waits for its turn', async () => {
    const { recorded, plane, view } = scene();
    const applied = plane.apply('peers', view);
    view.take({ revision: 8, next_s: 0, peers: { remove: ['node_a'] } });
    assert.equal((await applied).revision, 7);
    assert.deepEqual(
      recorded.peers.map(({ id }) => id),
      ['node_a', 'node_b'],
    );
  });

  it('says that it has no engine for a relay or an ingress, instead of pretending', async () => {
    const relay = { name: 'fra-1', host: 'fra-1.example.net', port: 3478 };
    const ingress = [{ id: 'ingress_1', hostname: 'a.example.org', draining: false, routes: [], tls: null }];
    const { plane, view } = scene({ relay, ingress });
    for (const section of ['relay', 'ingress'] as const) {
      await assert.rejects(
        plane.apply(section, view),
        new RegExp(`no engine for "${section}": nothing of it is in effect`),
      );
    }
    const { relay: used, ingress: served } = plane.observe('everything');
    assert.deepEqual([used, served], [null, []]);
  });

  it('has nothing to do for a section without an engine that is empty', async () => {
    const { plane, view } = scene();
    for (const section of ['relay', 'ingress'] as const) {
      assert.deepEqual(await plane.apply(section, view), { revision: 7, digest: view.digestOf(section) });
    }
  });

  it('forwards to what it offered and refuses everything else, also when the coordinator sends it', async () => {
    const forwarding = (routes: string[]) => ({ self: { ...(REPLY.self as SelfSection), routes } });
    const good = scene(forwarding(['10.20.0.0/16']));
    assert.equal((await good.plane.apply('self', good.view)).revision, 7);
    const bad = scene(forwarding(['10.20.0.0/16', '192.168.77.0/24']));
    await assert.rejects(bad.plane.apply('self', bad.view), /192\.168\.77\.0\/24, which this host does not offer/);
    assert.deepEqual(bad.recorded.calls, []);
  });

  it('uses a new key before it says so', async () => {
    const { recorded, plane } = scene();
    assert.equal(await plane.rekey('operation_1'), 'public half');
    assert.deepEqual(recorded.calls, ['tunnel.open key of operation_1']);
  });
});

it('a new key that could not be used for sure is taken out of use again', async () => {
  const { recorded, plane, drifted } = scene();
  recorded.failing.set('tunnel.open key of operation_1', new Error('WireGuard did not answer'));
  await assert.rejects(plane.rekey('operation_1'), /did not answer/);
  assert.deepEqual(drifted, [['self']]);
});

describe('what another program changed on a host', () => {
  it('is reported once, and its sections are applied anew, the packet filter first', async () => {
    const { recorded, plane, view, drifted } = scene();
    for (const section of ['self', 'peers'] as const) await plane.apply(section, view);
    drifted.length = 0; // how names resolve was news
    recorded.drifted.set('tunnel', 'an unknown peer').set('firewall', 'the table is gone');
    await plane.check();
    assert.deepEqual(drifted, [
      ['firewall', 'acl'],
      ['peers', 'self', 'acl'],
    ]);
    const at = '2026-11-15T12:00:00Z';
    assert.deepEqual(plane.observe('changes').repairs, [
      { section: 'firewall', at, found: 'the table is gone' },
      { section: 'peers', at, found: 'an unknown peer' },
    ]);
    assert.equal(plane.observe('everything').repairs, undefined);
  });

  it('is not suspected of an engine that never was right', async () => {
    const { recorded, plane, view, drifted } = scene();
    recorded.failing.set('tunnel.open old', new Error('UDP port 51820 is taken'));
    await assert.rejects(plane.apply('self', view), /is taken/);
    recorded.drifted.set('tunnel', 'the interface is gone');
    await plane.check();
    assert.equal(plane.observe('changes').repairs, undefined);
    assert.deepEqual(new Set(drifted.flat()), new Set(['self']), 'it is tried again');
  });

  it('makes the section one that is not in effect when it cannot be found out', async () => {
    const { recorded, plane, view, drifted } = scene();
    await plane.apply('firewall', view);
    recorded.parts.firewall.drift = () => Promise.reject(new Error('nft is not installed'));
    recorded.failing.set('firewall.apply', new Error('nft is not installed'));
    await plane.check();
    assert.deepEqual(drifted[0], ['firewall', 'acl']);
    await assert.rejects(plane.apply('firewall', view), /nft is not installed/);
  });

  it('again and again is reported as an error of the section, until that is over', async () => {
    const { recorded, plane, view, pass } = scene();
    recorded.drifted.set('firewall', 'the table is not there');
    for (let times = 0; times < 5; times += 1) {
      for (const section of ['firewall', 'acl'] as const) {
        assert.equal((await plane.apply(section, view)).error, undefined);
      }
      await plane.check();
    }
    recorded.drifted.clear();
    assert.match(
      (await plane.apply('firewall', view)).error ?? '',
      /firewall: another program keeps changing it \(5 times/,
    );
    pass(10_000);
    assert.equal((await plane.apply('firewall', view)).error, undefined);
  });

  it('elsewhere is reported by all engines together, and only when it is news', async () => {
    const { plane } = scene();
    const rule = (text: string) => ({ kind: 'filter', direction: 'in', text }) as const;
    const [filter, , network] = plane.engines;
    if (filter === undefined || network === undefined) assert.fail();
    filter.observe = () => ({ foreign: [rule('drop')] });
    network.observe = () => ({ foreign: [rule('blackhole')] });
    assert.deepEqual(plane.observe('changes').foreign, [rule('drop'), rule('blackhole')]);
    network.observe = () => ({});
    assert.deepEqual(plane.observe('changes').foreign, [rule('drop'), rule('blackhole')]);
    filter.observe = () => ({});
    assert.equal(plane.observe('changes').foreign, undefined);
  });
});

describe('the network of a host', () => {
  it('is left alone when only what is allowed has changed, and made anew when WireGuard was lost', async () => {
    const { recorded, plane, view } = scene();
    for (const section of ['self', 'acl'] as const) await plane.apply(section, view);
    const applied = () => recorded.calls.filter((call) => call === 'network.apply').length;
    assert.equal(applied(), 1);
    plane.lost('tunnel', 'WireGuard had ended');
    await plane.apply('self', view);
    assert.equal(applied(), 2);
  });

  it('is not called right before it was found so', async () => {
    const { recorded, plane, view } = scene();
    recorded.drifted.set('network', 'mesh0 is down');
    await assert.rejects(plane.apply('self', view), /not what it should be: mesh0 is down/);
  });
});

describe('the links of a host', () => {
  it('are reported when they come, with the packets that the policy denied', async () => {
    const { recorded, plane, view, drifted } = scene();
    await plane.apply('self', view);
    await plane.apply('peers', view);
    drifted.length = 0; // how names resolve was news
    const seen = { key: 'key-a', networks: [], endpoint: '192.0.2.2:51820', rx_bytes: 5, tx_bytes: 6 };
    recorded.seen = {
      ...recorded.seen,
      peers: new Map([['key-a', { ...seen, handshake_ms: Date.UTC(2026, 10, 15, 11, 59) }]]),
    };
    await plane.look();
    assert.deepEqual(drifted, [[]]);
    const { links, denied } = plane.observe('changes');
    assert.deepEqual(
      links?.map(({ peer, path }) => [peer, path]),
      [['node_a', 'direct']],
    );
    assert.deepEqual(denied, { in: 1, forward: 2 });
  });

  it('are not looked for while there is no interface', async () => {
    const { recorded, plane } = scene();
    await plane.look();
    assert.deepEqual(recorded.calls, []);
  });
});

it('telemetry is reported every minute, also when the clock was set back by a day', () => {
  let now = Date.UTC(2026, 10, 15, 12);
  const engines = new RecordedEngines().on({ now: () => now });
  const plane = new HostDataPlane({ engines, keptOut: () => [], relays: () => [], now: () => now });
  const isReported = () => plane.observe('changes').telemetry !== undefined;
  assert.deepEqual([isReported(), isReported()], [true, false]);
  now -= 86_400_000;
  assert.deepEqual([isReported(), isReported()], [true, false]);
});

it('says why a section may not be in effect, from when that is found until it is put back', async () => {
  const { recorded, plane, view } = scene();
  assert.equal(plane.doubt('firewall'), 'it is being applied');
  await plane.apply('firewall', view);
  assert.equal(plane.doubt('firewall'), undefined);
  recorded.drifted.set('firewall', 'the table is gone');
  await plane.check();
  assert.match(plane.doubt('firewall') ?? '', /^another program changed it.*: the table is gone$/);
  await plane.apply('firewall', view);
  assert.equal(plane.doubt('firewall'), undefined);
});

it('asks the engine that carries peers from which of them a packet comes', async () => {
  const { plane } = scene();
  assert.deepEqual(await plane.hear(['node_a'], 10), [{ peer: 'node_a', heard: true, took_ms: 1 }]);
});
