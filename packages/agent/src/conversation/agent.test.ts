import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  APPLIED_SECTIONS,
  type Applied,
  type HeartbeatReply,
  newId,
  type Peer,
  type PeerTerms,
} from '@meshwork/contract';
import { digestOf, digestOfTerms, digestText } from '@meshwork/contract/digest';
import { agentWith, INITIAL } from '../../test/test-agent.ts';
import { DryRunDataPlane } from '../data-plane/dry-run-data-plane.ts';

const peer = (name: string): Peer => ({
  id: newId('node', Date.now()),
  name,
  wireguard_key: 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
  address: '100.64.0.8/32',
  address6: 'fd4c:9a1e:77b0::6440:8/128',
  endpoints: ['192.0.2.8:51820'],
  relay: null,
});
const termsWith = ({ id }: Peer): PeerTerms => ({ peer: id, allow: ['tcp:22'], forward: [], routes: [] });
const self = {
  name: 'git-1',
  address: '100.64.0.7/32',
  address6: 'fd::7/128',
  tags: [],
  state: 'active',
  routes: [],
} as const;
const replyWith = (peers: Peer[]): HeartbeatReply => ({
  revision: 7,
  next_s: 0,
  self: { ...self, networks: [], tags: [], routes: [] },
  peers: { full: peers },
  acl: { full: peers.map(termsWith) },
  firewall: [{ id: 'firewall_1', direction: 'in', interface: 'mesh', protocol: 'any', action: 'drop' }],
  relay: { name: 'fra-1', host: 'fra-1.example.net', port: 3478 },
  relay_server: null,
  ingress: [],
  waf: [],
  given_certificates: [],
  dns: null,
  trust: null,
  certificate: null,
});

test('an agent proves its identity, reports everything, takes the answer in and reports it as applied', async () => {
  const other = peer('other');
  await using it = await agentWith({ script: { heartbeat: (_, n) => (n === 1 ? replyWith([other]) : 'hold') } });
  await it.coordinator.until(() => it.coordinator.beats.length === 2);

  const [first, second] = it.coordinator.beats;
  assert.equal(it.coordinator.proofs[0]?.sub, it.node);
  assert.equal((it.coordinator.proofs[0]?.exp ?? 0) - (it.coordinator.proofs[0]?.iat ?? 0), 60);
  assert.ok(first?.bearer.startsWith('meshnode_'));
  assert.deepEqual(first?.body.report, INITIAL);
  assert.equal(first?.body.complete, true);
  assert.deepEqual([first?.body.seq, first?.body.revision, first?.wait_s], [1, 0, 15]);

  assert.deepEqual([second?.body.seq, second?.body.revision], [2, 7]);
  assert.equal(second?.body.complete, undefined);
  assert.equal(second?.body.report, undefined, 'what was answered is not said again');
  assert.deepEqual(second?.body.applied?.peers, { revision: 7, digest: digestText(digestOf(other)) });
  const terms = digestOfTerms(termsWith(other));
  assert.deepEqual(second?.body.applied?.acl, { revision: 7, digest: digestText(terms) });
  assert.deepEqual(second?.body.applied?.firewall, { revision: 7, digest: it.agent.view.digestOf('firewall') });
  assert.deepEqual(Object.keys(second?.body.applied ?? {}).sort(), [...APPLIED_SECTIONS].sort());
  assert.equal(second?.body.observed?.relay, 'fra-1');
  assert.equal(second?.body.observed?.links?.[0]?.peer, other.id);
  assert.equal(it.agent.status.state, 'connected');
});

test('news goes out at once beside the heartbeat that waits, and what was not answered is sent again', async () => {
  const overtaken = Promise.withResolvers<void>();
  await using it = await agentWith({ observer: { superseded: () => overtaken.resolve() } });
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  it.agent.report({ endpoints: ['192.0.2.99:51820'] });
  await it.coordinator.until(() => it.coordinator.beats.length === 2);
  const second = it.coordinator.beats[1]?.body;
  assert.deepEqual(second?.report, { ...INITIAL, endpoints: ['192.0.2.99:51820'] });
  assert.equal(second?.seq, 2);

  // The first one was answered when the second came, so its report was received, but not what is new since.
  await overtaken.promise;
  it.plane.setConnections(1);
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  assert.deepEqual(it.coordinator.beats[2]?.body.report, { endpoints: ['192.0.2.99:51820'] });

  it.coordinator.release(it.node, { revision: 1, next_s: 0 });
  await it.coordinator.until(() => it.coordinator.beats.length === 4);
  assert.equal(it.coordinator.beats[3]?.body.report, undefined);
  assert.equal(it.coordinator.beats[3]?.body.revision, 1);
});

test('the answer to a heartbeat that was overtaken is not taken in', async () => {
  await using it = await agentWith({ script: { overtaken: { ...replyWith([peer('late')]), revision: 2 } } });
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  it.agent.report({ endpoints: [] });
  await it.coordinator.until(() => it.coordinator.beats.length === 2);
  it.coordinator.release(it.node, { revision: 3, next_s: 0 });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  assert.equal(it.agent.view.revision, 3);
  assert.equal(it.agent.view.peers.size, 0);
});

test('a command is done once, and its result goes out with the new key until it is answered', async () => {
  const id = newId('operation', Date.now());
  const commands = [{ id, kind: 'rekey' as const }];
  await using it = await agentWith({
    script: {
      heartbeat: (_, n) => {
        if (n === 1) return { revision: 2, next_s: 0, commands };
        if (n === 2) return 'break';
        return n === 3 ? { revision: 3, next_s: 0, commands: [] } : 'hold';
      },
    },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 4);
  const [, second, third, fourth] = it.coordinator.beats;
  assert.deepEqual(second?.body.results, [{ id, outcome: 'done' }]);
  assert.match(second?.body.report?.wireguard_key ?? '', /=$/);
  assert.deepEqual(third?.body.results, second?.body.results);
  assert.deepEqual(third?.body.report, second?.body.report);
  assert.equal(fourth?.body.results, undefined);
});

test('a coordinator that lost its state is sent everything again', async () => {
  await using it = await agentWith({
    script: {
      heartbeat: (_, n) => {
        if (n === 1) return replyWith([peer('a')]);
        if (n === 2) return { revision: 7, next_s: 0, report: 'everything' };
        return 'hold';
      },
    },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  const third = it.coordinator.beats[2]?.body;
  assert.equal(third?.complete, true);
  assert.deepEqual(third?.report, INITIAL);
  assert.equal(Object.keys(third?.applied ?? {}).length, APPLIED_SECTIONS.length);
  assert.equal(third?.observed?.links?.length, 1);
  assert.equal(third?.observed?.relay, 'fra-1');
});

test('a data plane hears of what the coordinator has, and of nothing that was refused', async () => {
  const reported: unknown[] = [];
  const plane = new DryRunDataPlane({ node: newId('node', Date.now()), now: () => Date.now() });
  const data_plane = Object.assign(plane, { reported: (observed: unknown) => reported.push(observed) });
  await using it = await agentWith({
    data_plane,
    script: {
      heartbeat: (_, n) => {
        if (n === 1) return replyWith([peer('a')]);
        if (n === 2) return 'store_unavailable';
        return n === 3 ? { revision: 7, next_s: 0 } : 'hold';
      },
    },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 4);
  const [, refused, answered] = it.coordinator.beats;
  assert.equal(refused?.body.observed?.relay, 'fra-1');
  assert.equal(answered?.body.observed?.relay, 'fra-1', 'sent again');
  assert.deepEqual(
    reported.filter((observed) => (observed as { relay?: unknown }).relay === 'fra-1'),
    [answered?.body.observed],
  );
});

test('links that do not fit into a heartbeat follow in the next one, which goes out without waiting', async () => {
  const many = Array.from({ length: 1500 }, (_, index) => peer(`p${index}`));
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n === 1 ? replyWith(many) : n === 2 ? { revision: 7, next_s: 0 } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  const [, second, third] = it.coordinator.beats;
  assert.deepEqual([second?.body.observed?.links?.length, second?.wait_s], [1000, 0]);
  assert.deepEqual([third?.body.observed?.links?.length, third?.wait_s], [500, 15]);
});

test('it comes back no sooner than `next_s`, unless there is news', async () => {
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n <= 2 ? { revision: 1, next_s: 20 } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  assert.deepEqual(
    it.clock.pauses.filter((ms) => ms > 1000),
    [20_000, 20_000],
  );
});

test('a coordinator that answers at once with nothing, again and again, is asked ever less often', async () => {
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n < 9 ? { revision: 1, next_s: 0 } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 9);
  assert.deepEqual(
    it.clock.pauses.filter((ms) => ms > 100),
    [250, 500, 1000, 2000, 4000, 8000],
  );
});

test('heartbeats go on while a data plane takes its time, and what it comes to goes out at once', async () => {
  const slow = Promise.withResolvers<Applied>();
  const plane = {
    apply: () => slow.promise,
    observe: () => ({}),
    rekey: async () => '',
    diagnose: async () => '',
    onChange: () => undefined,
  };
  await using it = await agentWith({
    data_plane: plane,
    script: { heartbeat: (_, n) => (n === 1 ? { revision: 2, next_s: 0, relay: null } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 2);
  assert.equal(it.coordinator.beats[1]?.body.applied, undefined);
  slow.resolve({ revision: 2, digest: '000000000001' });
  await it.coordinator.until(() => it.coordinator.beats.length === 3);
  assert.deepEqual(it.coordinator.beats[2]?.body.applied, { relay: { revision: 2, digest: '000000000001' } });
});

test('what was changed behind its back is applied anew', async () => {
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n <= 2 ? { revision: n, next_s: 0, relay: null } : 'hold') },
  });
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  let applied = 0;
  it.plane.apply = async () => {
    applied += 1;
    return { revision: 2, digest: '000000000000', error: 'another process holds the lock' };
  };
  it.plane.drift(['relay', 'self']);
  await it.coordinator.until(() => it.coordinator.beats.at(-1)?.body.applied?.relay?.error !== undefined);
  assert.equal(applied, 1, 'the coordinator never sent `self`');
});

test('an agent stops while its heartbeat waits', async () => {
  await using it = await agentWith();
  await it.coordinator.until(() => it.coordinator.isHeld(it.node));
  it.stop();
  assert.equal((await it.ended).reason, 'stopped');
  assert.deepEqual(it.agent.status, { state: 'ended', ...(await it.ended) });
});

test('what is not applied section by section is held when the observer is notified of it', async () => {
  const access = [
    {
      relay: { name: 'fra-1', host: 'fra-1.example.net', port: 3478 },
      username: '1:node',
      password: 'secret',
      expires_at: '2026-11-15T10:30:00Z',
    },
  ];
  const held: unknown[] = [];
  await using it = await agentWith({
    script: { heartbeat: (_, n) => (n === 1 ? { revision: 7, next_s: 0, relay_access: access } : 'hold') },
    observer: { held: () => void held.push(it.agent.view.sections.relay_access) },
  });
  await it.coordinator.until(() => it.coordinator.beats.length === 2);
  assert.deepEqual(held, [access]);
});
