/** A real coturn that a real engine runs, and nodes that send through it, in a network of their own. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { processesIn, until } from '../../../test/namespaces.ts';
import {
  access,
  NODE_ADDRESS,
  OUTSIDE_ADDRESS,
  RELAY_ADDRESS,
  RELAY_ADDRESS_6,
  type RelayHost,
  type RelaySide,
  relayHost,
  serverSection,
} from '../../../test/relay-host.ts';
import { FORGOTTEN_AFTER_S } from './turn-config.ts';

/** On the relay host, and no relay: answers whatever it is sent. */
const SERVICE = { address: RELAY_ADDRESS, port: 5353 };
const ECHO = `
  import { createSocket } from 'node:dgram';
  const socket = createSocket('udp4').on('message', (data, { port, address }) => socket.send('reached', port, address));
  socket.bind(${SERVICE.port}, '${SERVICE.address}', () => process.stdout.write('up'));
`;

/** What every STUN server answers. */
const BINDING_REQUEST = `\u0000\u0001\u0000\u0000\u0021\u0012\u00a4\u0042${'anything-at-'}`;

describe('the relay of a node', { timeout: 120_000 }, () => {
  let host: RelayHost;
  let agent: RelaySide;
  let node: RelaySide;
  let other: RelaySide;
  before(async () => {
    host = await relayHost();
    [agent, node, other] = [host.agent(), host.client(), host.client()];
    await agent.call('apply', serverSection());
    // coturn reads what it may send to when it starts, and again every few seconds
    await until('a packet comes back', async () => (await node.call('prove', access(), [])).via === 'udp');
  });
  after(() => host[Symbol.asyncDispose]());

  const coturn = () => processesIn(host.relay, 'turnserver');
  /** What is given back is gone a moment later. */
  const idle = () => until('no allocation is left', async () => (await agent.call('load'))?.allocations === 0);

  it('carries packets, and runs as a user that owns nothing else', async () => {
    assert.deepEqual(await node.call('prove', access(), []), { via: 'udp' });
    assert.equal(await agent.call('drift'), null);
    const [pid] = await coturn();
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    assert.doesNotMatch(status, /^Uid:\t0\t/m);
    assert.match(status, /^CapEff:\t0+$/m);
  });

  it('shows no secret in the process list, nor in a file that others may read', async () => {
    const [pid] = await coturn();
    const listed = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const files = (await readdir(host.relay_folder)).filter((name) => name !== 'turn.log');
    const texts = await Promise.all(files.map((name) => readFile(join(host.relay_folder, name), 'latin1')));
    const telling = files.filter((_, index) => texts[index]?.includes('first-secret'));
    assert.ok(!listed.includes('first-secret'));
    assert.deepEqual(telling, ['turn.sqlite']);
    const modes = await host.relay.run('stat', ['-c', '%a', host.relay_folder, join(host.relay_folder, 'turn.sqlite')]);
    assert.deepEqual(modes.trim().split('\n'), ['750', '640']);
  });

  it('is no way to loopback, the metadata address, the mesh, the LAN or anything else that is no relay', async () => {
    const before = await agent.call('load');
    const relayed = await node.call('hold', access());
    assert.equal(relayed.address, RELAY_ADDRESS);
    const forbidden = ['127.0.0.1', '169.254.169.254', '100.64.0.9', '10.9.0.1', '10.9.0.2', NODE_ADDRESS, '8.8.8.8'];
    for (const address of [...forbidden, '0.0.0.0', '255.255.255.255', '224.0.0.1']) {
      await assert.rejects(node.call('permit', [address]), /403/, address);
      await assert.rejects(node.call('bind', { address, port: 50_000 }), /403/, address);
    }
    await assert.rejects(node.call('permit', [RELAY_ADDRESS, '127.0.0.1']), /403/, 'beside one that is a relay');
    for (const address of ['::ffff:127.0.0.1', '::1', RELAY_ADDRESS_6]) {
      await assert.rejects(node.call('permit', [address]), /443/, 'an IPv4 allocation');
    }
    await node.call('release');
    const load = await agent.call('load');
    assert.equal((load?.denied ?? 0) - (before?.denied ?? 0), 2 * (forbidden.length + 3) + 1);
  });

  it('refuses wrong, foreign and expired credentials, and more allocations than a node may have, and counts them', async () => {
    await idle();
    const before = await agent.call('load');
    await assert.rejects(node.call('hold', access({ secret: 'guessed-secret' })), /401/);
    await assert.rejects(node.call('hold', access({ for_s: -5 })), /401/);
    const foreign = { ...access({ node: 'one' }), username: access({ node: 'another' }).username };
    await assert.rejects(node.call('hold', foreign), /401/);
    const others = [node, other, host.client()] as const;
    await others[0].call('hold', access({ node: 'greedy' }));
    await others[1].call('hold', access({ node: 'greedy' }));
    await assert.rejects(others[2].call('hold', access({ node: 'greedy' })), /486/);
    const load = await agent.call('load');
    assert.ok(before !== null && load !== null);
    assert.equal(load.refused - before.refused, 3);
    assert.equal(load.over_quota - before.over_quota, 1);
    assert.equal(load.allocations, 2);
    for (const other of others.slice(0, 2)) await other.call('release');
    await idle();
    const after = await agent.call('load');
    assert.ok((after?.rx_bytes ?? 0) > 0 && (after?.tx_bytes ?? 0) > 0);
  });

  it('keeps an allocation whose credentials end while it is used, and makes no other with them', async () => {
    const brief = access({ for_s: 2 });
    const relayed = await node.call('hold', brief);
    await node.call('permit', [RELAY_ADDRESS]);
    await until('the credentials end', async () =>
      other.call('hold', brief).then(
        () => other.call('release').then(() => false),
        (error: Error) => error.message.includes('401'),
      ),
    );
    assert.equal(await node.call('send', relayed, 'still carried'), 'still carried');
    assert.equal(await node.call('refresh'), FORGOTTEN_AFTER_S);
    await node.call('permit', [RELAY_ADDRESS]);
    await node.call('release');
  });

  it('whose clock is an hour ahead says so by its refusal, keeps what it has, and carries when it is right again', async () => {
    // What counts is the clock of the relay against that of the coordinator, by which credentials end.
    const relayed = await node.call('hold', access());
    await node.call('permit', [RELAY_ADDRESS]);
    const ahead = access({ for_s: 1800 - 3600 });
    await assert.rejects(other.call('prove', ahead, []), /401 \(.*, or the clock of the relay is wrong\)/);
    assert.equal(await node.call('send', relayed, 'meanwhile'), 'meanwhile');
    const behind = access({ for_s: 3600 + 3600 });
    for (const right of [behind, access()]) assert.deepEqual(await other.call('prove', right, []), { via: 'udp' });
    await node.call('release');
  });

  it('goes on when its agent is killed, and the next one takes it over with its allocations', async () => {
    await idle();
    const relayed = await node.call('hold', access());
    await node.call('permit', [RELAY_ADDRESS]);
    const [pid] = await coturn();
    await agent.kill();
    assert.equal(await node.call('send', relayed, 'without an agent'), 'without an agent');
    agent = host.agent();
    await agent.call('apply', serverSection());
    assert.deepEqual(await coturn(), [pid]);
    assert.equal(await node.call('send', relayed, 'with another'), 'with another');
    assert.equal((await agent.call('load'))?.allocations, 1);
    await node.call('release');
    await idle();
  });

  it('takes new secrets and new relays without ending an allocation', async () => {
    const relayed = await node.call('hold', access());
    await node.call('permit', [RELAY_ADDRESS]);
    await assert.rejects(node.call('permit', ['203.0.113.77']), /403/);
    const section = serverSection({ secrets: ['second-secret'], peers: [RELAY_ADDRESS, '203.0.113.77'] });
    await agent.call('apply', section);
    await until('the new relay is let in', async () => (await node.call('permit', ['203.0.113.77'])) === null);
    assert.equal(await node.call('send', relayed, 'still here'), 'still here');
    await node.call('release');
    await until('the old secret ends', async () =>
      node.call('prove', access(), []).then(
        () => false,
        (error: Error) => error.message.includes('401'),
      ),
    );
    assert.deepEqual(await node.call('prove', access({ secret: 'second-secret' }), []), { via: 'udp' });
    await agent.call('apply', serverSection());
  });

  it('sends to relayed ports alone, also at its own address', async () => {
    const service = host.relay.script(ECHO);
    await new Promise((resolve) => service.stdout?.once('data', resolve));
    const relayed = await node.call('hold', access());
    await node.call('permit', [RELAY_ADDRESS]);
    assert.equal(await node.call('send', relayed, 'to myself'), 'to myself');
    assert.equal(await node.call('send', SERVICE, 'let me in'), null);
    const stun = { address: RELAY_ADDRESS, port: 65_528 };
    assert.equal(await node.call('send', stun, BINDING_REQUEST, 'latin1'), null);
    assert.match(await host.relay.run('nft', ['list', 'table', 'inet', 'mesh_relay']), /counter packets [1-9]/);
    await node.call('release');
    // That the service answers, and that it is the guard that keeps it from being reached:
    await host.relay.run('nft', ['delete', 'table', 'inet', 'mesh_relay']);
    await node.call('hold', access());
    await node.call('permit', [RELAY_ADDRESS]);
    assert.equal(await node.call('send', SERVICE, 'let me in'), 'reached');
    assert.notEqual(await node.call('send', stun, BINDING_REQUEST, 'latin1'), null);
    await node.call('release');
    assert.equal(await agent.call('drift'), 'the table mesh_relay is gone');
    await agent.call('apply', serverSection());
    assert.equal(await agent.call('drift'), null);
  });

  it('that ended is reported, and runs again when it is applied', async () => {
    const [pid = 0] = await coturn();
    process.kill(pid, 'SIGKILL');
    await until('the agent hears of it', async () => (await agent.call('lost')).includes('coturn ended'));
    assert.equal(await agent.call('drift'), 'coturn does not run');
    await agent.call('apply', serverSection());
    assert.equal(await agent.call('drift'), null);
    await until('a packet comes back', async () => (await node.call('prove', access(), [])).via === 'udp');
  });

  it('moves to another port, and behind an address that a router passes on', async () => {
    const section = serverSection({ port: 3480, host: OUTSIDE_ADDRESS, peers: [OUTSIDE_ADDRESS] });
    await agent.call('apply', section);
    const there = { relay: { host: OUTSIDE_ADDRESS, port: 3480 } };
    await until('a packet comes back', async () => (await node.call('prove', access(there), [])).via === 'udp');
    const relayed = await node.call('hold', access(there));
    assert.equal(relayed.address, OUTSIDE_ADDRESS);
    await node.call('release');
    await assert.rejects(node.call('prove', access(), []), /does not answer|REFUSED/);
  });

  it('serves at an address of IPv6 alone, and is no way to IPv4 in its clothes', async () => {
    await agent.call('apply', serverSection({ host: RELAY_ADDRESS_6, peers: [RELAY_ADDRESS_6] }));
    const there = { relay: { host: RELAY_ADDRESS_6 } };
    await until('a packet comes back', async () => (await node.call('prove', access(there), [])).via === 'udp');
    assert.equal((await node.call('hold', access(there))).address, RELAY_ADDRESS_6);
    const mapped = ['::ffff:127.0.0.1', '::ffff:169.254.169.254', '::ffff:10.9.0.1', `::ffff:${RELAY_ADDRESS}`];
    for (const address of [...mapped, '::', '::1', '::127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', 'fd99::20']) {
      await assert.rejects(node.call('permit', [address]), /40[03]|443/, address);
    }
    await node.call('release');
  });

  it('says when its port is taken, and what to do', async () => {
    await agent.call('apply', null);
    const taker = host.relay.script(
      `import { createSocket } from 'node:dgram'; createSocket('udp4').bind(3478, '${RELAY_ADDRESS}', () => process.stdout.write('up'));`,
    );
    await new Promise((resolve) => taker.stdout?.once('data', resolve));
    await assert.rejects(agent.call('apply', serverSection()), /another program has 203.0.113.9:3478/);
    taker.kill();
    await agent.call('apply', serverSection());
    assert.equal(await agent.call('drift'), null);
  });

  it('leaves nothing when the node runs none any more', async () => {
    await agent.call('apply', null);
    assert.deepEqual(await coturn(), []);
    assert.doesNotMatch(await host.relay.run('nft', ['list', 'tables']), /mesh_relay/);
    await assert.rejects(readdir(host.relay_folder), /ENOENT/);
    assert.equal(await agent.call('load'), null);
  });
});
