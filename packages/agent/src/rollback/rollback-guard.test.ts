/** A node that a change cuts off goes back to what worked, and no revoked right is reopened by it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HeartbeatReply } from '@meshwork/contract';
import { AFTER_S, ALONE, GuardedNode, peer, rule } from '../../test/guarded-node.ts';
import { GUARDED_PARTS } from '../engines/engines.ts';
import { nothingProven } from './rollback-state.ts';

const CUTTING = [rule('firewall_cut')];
const cutByRule = (node: GuardedNode) => {
  node.isCut = ({ rules }) => rules.includes('firewall_cut');
};

/** One that has proven its first configuration. */
async function provenNode(): Promise<GuardedNode> {
  const node = new GuardedNode();
  await node.receive(ALONE);
  assert.equal(await node.beat(), true);
  assert.equal(node.guard.pending, false);
  return node;
}

describe('a change that cuts the node off', () => {
  it('is taken back once no heartbeat was answered in time, and refused with the reason', async () => {
    const node = await provenNode();
    cutByRule(node);
    await node.receive({ revision: 448, next_s: 0, firewall: CUTTING });
    assert.deepEqual(node.engines.rules, ['firewall_cut']);
    await node.pass(AFTER_S - 1);
    assert.deepEqual(node.engines.rules, ['firewall_cut']);
    await node.pass(1);
    assert.deepEqual(node.engines.rules, []);
    assert.equal(await node.beat(), true);
    assert.equal(node.guard.pending, false);
    const error =
      'Rolled back: no heartbeat was answered within 60 s after revision 448 was applied. It is not tried again until it changes.';
    const rolled_back = { revision: 448, after_s: 60, at: '2026-11-15T09:31:00Z' };
    assert.deepEqual(node.reported.get('firewall'), {
      revision: 1,
      digest: node.saved?.proven.egress?.digest,
      error,
      rolled_back,
    });
    await node.receive({ revision: 450, next_s: 0, firewall: CUTTING }); // the same once more
    assert.deepEqual(node.engines.rules, []);
    assert.equal(node.guard.pending, false);
  });

  it('is tried again when it has changed, and the refusal is forgotten', async () => {
    const node = await provenNode();
    cutByRule(node);
    await node.receive({ revision: 448, next_s: 0, firewall: CUTTING });
    await node.pass(AFTER_S);
    await node.beat();
    assert.notEqual(node.saved?.refused.egress, undefined);
    await node.receive({ revision: 449, next_s: 0, firewall: [] });
    assert.deepEqual(node.reported.get('firewall'), { revision: 449, digest: node.view.digestOf('firewall') });
    await node.beat();
    assert.equal(node.saved?.refused.egress, undefined);
    await node.receive({ revision: 450, next_s: 0, firewall: [rule('firewall_ok')] });
    assert.deepEqual(node.engines.rules, ['firewall_ok']);
  });

  it('keeps the rules about what comes in and about the mesh, which cannot be what cuts it off', async () => {
    const node = await provenNode();
    cutByRule(node);
    const others = [rule('firewall_in', { direction: 'in' }), rule('firewall_mesh', { interface: 'mesh' })];
    await node.receive({ revision: 448, next_s: 0, firewall: [...CUTTING, ...others] });
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, ['firewall_in', 'firewall_mesh']);
  });

  it('is found among others that came with it: those are in effect again', async () => {
    const node = await provenNode();
    cutByRule(node);
    const self = { ...(ALONE.self as NonNullable<typeof ALONE.self>), address: '100.64.0.9/32' };
    await node.receive({ revision: 448, next_s: 0, self, firewall: CUTTING });
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.network?.addresses[0], '100.64.0.1/32');
    await node.beat(); // both are suspects: the address is tried first
    assert.deepEqual([node.engines.network?.addresses[0], node.engines.rules], ['100.64.0.9/32', []]);
    await node.beat(); // it is proven, and the rules are tried
    assert.deepEqual(node.engines.rules, ['firewall_cut']);
    await node.pass(AFTER_S);
    await node.beat();
    assert.deepEqual([node.engines.network?.addresses[0], node.engines.rules], ['100.64.0.9/32', []]);
    assert.equal(node.reported.get('self')?.error, undefined);
    assert.equal(node.reported.get('firewall')?.rolled_back?.revision, 448);
  });

  const elsewhere: readonly {
    readonly what: string;
    readonly section: 'acl' | 'peers';
    readonly change: Partial<HeartbeatReply>;
    readonly isCut: (node: GuardedNode) => boolean;
  }[] = [
    {
      what: 'a network behind a peer',
      section: 'acl',
      change: {
        peers: { full: [peer('gw', 7)] },
        acl: { full: [{ peer: 'node_gw', allow: [], forward: [], routes: ['10.0.0.0/8'] }] },
      },
      isCut: ({ engines }) => engines.network?.routes.includes('10.0.0.0/8') === true,
    },
    {
      what: 'a peer with the name of the coordinator',
      section: 'peers',
      change: { peers: { full: [peer('mesh', 7), peer('db', 8)] } },
      isCut: ({ engines }) => engines.names.includes('mesh'),
    },
  ];
  for (const { what, section, change, isCut } of elsewhere) {
    it(`is taken back also when it is ${what}, which stays a peer`, async () => {
      const node = await provenNode();
      node.isCut = () => isCut(node);
      await node.receive({ revision: 448, next_s: 0, ...change });
      assert.equal(isCut(node), true);
      await node.pass(AFTER_S);
      assert.equal(isCut(node), false);
      assert.equal(await node.beat(), true);
      assert.equal(node.reported.get(section)?.rolled_back?.revision, 448);
      assert.equal(node.engines.peers.length, change.peers?.full?.length);
    });
  }

  it('is not proven by the answer to a heartbeat that was sent before it', async () => {
    const node = await provenNode();
    const ticket = node.guard.ticket();
    cutByRule(node);
    await node.receive({ revision: 448, next_s: 0, firewall: CUTTING });
    node.guard.answered(ticket);
    assert.equal(node.guard.pending, true);
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, []);
  });
});

describe('a coordinator that is away', () => {
  it('never has anything rolled back that was proven', async () => {
    const node = await provenNode();
    await node.receive({ revision: 2, next_s: 0, firewall: [rule('firewall_ok')] });
    await node.beat();
    node.isOn = false;
    await node.pass(AFTER_S * 100);
    assert.deepEqual(node.engines.rules, ['firewall_ok']);
    assert.equal(node.clock.waiting, 0);
  });

  it('does not have a change rolled back while its machine can be reached', async () => {
    const node = await provenNode();
    node.answers = false;
    await node.receive({ revision: 2, next_s: 0, firewall: [rule('firewall_ok')] });
    for (let minute = 0; minute < 10; minute += 1) await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, ['firewall_ok']);
    node.answers = true;
    await node.beat();
    assert.deepEqual([node.guard.pending, node.events.at(-1)?.kind], [false, 'proven']);
  });

  it('has a change back that made no difference, and it is proven when the coordinator returns', async () => {
    const node = await provenNode();
    node.isOn = false;
    await node.receive({ revision: 2, next_s: 0, firewall: [rule('firewall_ok')] });
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, []);
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, ['firewall_ok']);
    assert.equal(node.reported.get('firewall')?.error, undefined);
    node.isOn = true;
    await node.beat();
    assert.deepEqual(node.engines.rules, ['firewall_ok']);
    assert.deepEqual(
      node.events.map(({ kind }) => kind),
      ['proven', 'rolled_back', 'innocent', 'proven'],
    );
  });

  it('does not hide a change that cuts the node off as well: the rollback is tried again, ever less often', async () => {
    const node = await provenNode();
    cutByRule(node);
    node.isOn = false;
    await node.receive({ revision: 2, next_s: 0, firewall: CUTTING });
    await node.pass(AFTER_S);
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, ['firewall_cut']);
    node.isOn = true;
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, ['firewall_cut']);
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.rules, []);
    assert.equal(await node.beat(), true);
  });

  it('does not reopen what was revoked: what peers may do is never rolled back', async () => {
    const node = await provenNode();
    const terms = { peer: 'node_a', allow: ['tcp:22'], forward: [], routes: [] };
    await node.receive({ revision: 2, next_s: 0, peers: { full: [peer('a', 7)] }, acl: { full: [terms] } });
    await node.beat();
    assert.deepEqual(node.engines.admitted, ['100.64.0.7', 'fd6d::7']);
    node.isOn = false;
    await node.receive({ revision: 3, next_s: 0, acl: { full: [] } });
    await node.pass(AFTER_S * 10);
    assert.deepEqual(node.engines.admitted, []);
    // Not even when something else that came with it is.
    await node.receive({ revision: 4, next_s: 0, acl: { full: [terms] }, firewall: [] });
    await node.receive({ revision: 5, next_s: 0, acl: { full: [] }, firewall: [rule('firewall_ok')] });
    await node.pass(AFTER_S);
    assert.deepEqual([node.engines.rules, node.engines.admitted], [[], []]);
  });

  it('convicts a change by packets alone: they got through without it, and not with it', async () => {
    const node = await provenNode();
    cutByRule(node);
    node.answers = false;
    await node.receive({ revision: 448, next_s: 0, firewall: CUTTING });
    await node.pass(AFTER_S);
    await node.pass(AFTER_S);
    assert.deepEqual([node.engines.rules, node.events.at(-1)?.kind], [[], 'refused']);
  });
});

describe('an agent that was killed', () => {
  it('while a change was on trial starts with what was proven, and tries the change once it is answered', async () => {
    const before = await provenNode();
    const change = { revision: 448, next_s: 0, firewall: CUTTING };
    await before.receive(change);
    const restored = { ...ALONE, ...change };
    const node = new GuardedNode({ state: before.saved, restored });
    cutByRule(node);
    await node.receive(restored);
    assert.deepEqual(node.engines.rules, []);
    assert.match(node.reported.get('firewall')?.error ?? '', /on trial when the agent ended/);
    assert.equal(node.reported.get('self')?.error, undefined);
    assert.equal(await node.beat(), true);
    assert.deepEqual(node.engines.rules, ['firewall_cut']);
    await node.pass(AFTER_S);
    assert.equal(await node.beat(), true);
    assert.equal(node.reported.get('firewall')?.rolled_back?.revision, 448);
  });

  it('and is not answered though its coordinator can be reached tries the change all the same', async () => {
    const node = new GuardedNode({ state: { proven: nothingProven(GUARDED_PARTS), refused: {} }, restored: ALONE });
    node.answers = false;
    await node.receive(ALONE);
    await node.pass(5);
    assert.deepEqual(node.engines.network?.addresses[0], '100.64.0.1/32');
    assert.equal(node.reported.get('self')?.error, undefined);
    await node.pass(AFTER_S * 5);
    assert.deepEqual([node.engines.network?.addresses[0], node.guard.urgent], ['100.64.0.1/32', false]);
  });

  it('and cannot reach its coordinator at all tries the change after the same time', async () => {
    const node = new GuardedNode({ state: { proven: nothingProven(GUARDED_PARTS), refused: {} }, restored: ALONE });
    node.isOn = false;
    await node.receive(ALONE);
    assert.deepEqual(node.engines.network?.addresses, []);
    await node.pass(5);
    assert.deepEqual(node.engines.network?.addresses, []);
    await node.pass(AFTER_S);
    assert.deepEqual(node.engines.network?.addresses[0], '100.64.0.1/32');
  });

  it('does not try again what was refused before', async () => {
    const before = await provenNode();
    cutByRule(before);
    const change = { revision: 448, next_s: 0, firewall: CUTTING };
    await before.receive(change);
    await before.pass(AFTER_S);
    await before.beat();
    const node = new GuardedNode({ state: before.saved, restored: { ...ALONE, ...change } });
    cutByRule(node);
    await node.receive({ ...ALONE, ...change });
    for (let beat = 0; beat < 3; beat += 1) assert.equal(await node.beat(), true);
    assert.deepEqual(node.engines.rules, []);
    assert.equal(node.reported.get('firewall')?.rolled_back?.revision, 448);
  });

  it('and kept no state yet, being older, goes on with what it held', async () => {
    const restored = { ...ALONE, firewall: [rule('firewall_ok')] };
    const node = new GuardedNode({ restored });
    node.isOn = false;
    await node.receive(restored);
    await node.pass(AFTER_S * 10);
    assert.deepEqual(node.engines.rules, ['firewall_ok']);
    assert.equal(node.reported.get('firewall')?.error, undefined);
    node.isOn = true;
    await node.beat();
    assert.deepEqual(node.saved?.proven.egress?.value, [rule('firewall_ok')], 'from now on there is one');
  });
});

it('an engine that fails asks for no proof, over and over, and is taken back all the same', async () => {
  const node = await provenNode();
  const before = node.tries;
  node.engines.failing.set('network.apply', new Error('ip: no'));
  node.isCut = ({ network }) => network?.addresses[0] === '100.64.0.9/32'; // half done
  const self = { ...(ALONE.self as NonNullable<typeof ALONE.self>), address: '100.64.0.9/32' };
  await node.receive({ revision: 2, next_s: 0, self });
  for (let retry = 0; retry < 3; retry += 1) {
    await node.pass(AFTER_S / 3 - 1);
    await node.receive({ revision: 2, next_s: 0, self });
  }
  assert.equal(node.tries, before);
  node.engines.failing.clear();
  await node.pass(3);
  assert.equal(node.engines.network?.addresses[0], '100.64.0.1/32');
});

it('an engine that fails proves nothing, and is tried again', async () => {
  const node = await provenNode();
  node.engines.failing.set('firewall.apply', new Error('nft: no'));
  await node.receive({ revision: 2, next_s: 0, firewall: [rule('firewall_ok')] });
  await node.beat();
  assert.deepEqual(node.saved?.proven.egress?.value, []);
  node.engines.failing.clear();
  await node.receive({ revision: 2, next_s: 0, firewall: [rule('firewall_ok')] });
  await node.beat();
  assert.deepEqual(node.saved?.proven.egress?.value, [rule('firewall_ok')]);
});
