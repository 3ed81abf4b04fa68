import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../../test/namespaces.ts';
import { newFolder } from '../../test/new-folder.ts';
import { Carrier } from './carrier.ts';
import { CarrierRefusal } from './control/control-client.ts';

const CHILD = join(import.meta.dirname, '../../test/carrier-child.ts');
const OPEN = { node: 'node-1', wireguard_port: 51_820 };

describe('a carrier', { timeout: 90_000 }, () => {
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let run_folder: string;
  let carrier: Carrier;
  beforeEach(async () => {
    folder = await newFolder();
    run_folder = folder.path;
    carrier = new Carrier({ run_folder });
  });
  afterEach(async () => {
    await carrier.remove();
    await folder[Symbol.asyncDispose]();
  });

  const pid = async () => Number(await readFile(join(run_folder, 'carrier.pid'), 'utf8'));

  it('outlives the agent that started it, and the next one finds it as it was', async () => {
    const agent = spawn(process.execPath, [CHILD, run_folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(agent.stdout, 'data');
    const before = await pid();
    agent.kill('SIGKILL');
    await once(agent, 'exit');
    assert.deepEqual(await carrier.ensure(), { adopted: true });
    assert.equal(await pid(), before);
    const { links, sockets } = await carrier.ask('state', {});
    assert.deepEqual([links[0]?.peer, links[0]?.address, sockets?.node], ['node-2', '127.64.0.0', 'node-1']);
  });

  it('is started anew after it was killed, on the port that it had', async () => {
    const [first, second] = await Promise.all([carrier.ensure(), carrier.ensure()]);
    assert.deepEqual([first, second], [{ adopted: false }, { adopted: false }]);
    const { loopback_port } = await carrier.ask('open', OPEN);
    const lost = once(carrier.events, 'lost');
    process.kill(await pid(), 'SIGKILL');
    await lost;
    assert.deepEqual(await carrier.ensure(), { adopted: false });
    assert.equal((await carrier.ask('open', { ...OPEN, loopback_port })).loopback_port, loopback_port);
  });

  it('listens to the agent that came last', async () => {
    await carrier.ensure();
    const lost = once(carrier.events, 'lost');
    const other = new Carrier({ run_folder });
    assert.deepEqual(await other.ensure(), { adopted: true });
    await lost;
    assert.equal((await other.ask('state', {})).links.length, 0);
    other.close();
  });

  it('of another version gives way, and one that hangs is ended', async () => {
    const path = JSON.stringify(join(run_folder, 'carrier.sock'));
    const old = `const hello = { hello: { protocol: 0, version: '0.0.1', pid: process.pid } };
      require('net').createServer((socket) => {
        socket.on('data', (line) => { if (String(line).includes('"end"')) process.exit(); });
        socket.write(JSON.stringify(hello) + '\\n');
      }).listen(${path}, () => console.log('ready'));`;
    const hanging = `process.title = 'mesh-carrier';
      require('net').createServer(() => {}).listen(${path}, () => console.log('ready'));`;
    for (const program of [old, hanging]) {
      const there = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(there, 'exit');
      await once(there.stdout, 'data');
      await writeFile(join(run_folder, 'carrier.pid'), String(there.pid));
      assert.deepEqual(await carrier.ensure(), { adopted: false });
      await ended;
      await carrier.remove();
    }
  });

  it('leaves nothing behind when it is removed, also twice', async () => {
    await carrier.ensure();
    const process_id = await pid();
    await carrier.remove();
    await carrier.remove();
    assert.deepEqual(await readdir(run_folder), []);
    await until('it has ended', async () =>
      stat(`/proc/${process_id}`).then(
        () => false,
        () => true,
      ),
    );
  });

  it('shows no secret, and its socket only to its owner', async () => {
    await carrier.ensure();
    assert.equal((await stat(join(run_folder, 'carrier.sock'))).mode & 0o777, 0o600);
    const password = randomBytes(12).toString('hex');
    const garbage = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(randomBytes(5000));
    }).listen(0, '127.0.0.1');
    await once(garbage, 'listening');
    const { port } = garbage.address() as { port: number };
    const wanted = {
      allocation: 'home',
      relay: { address: '127.0.0.1', port },
      credentials: { username: 'node', password },
      permit: [],
    };
    // A relay that speaks something else is one that does not work, and no more than that.
    await assert.rejects(carrier.ask('allocate', { ...wanted, transport: 'tcp' }), CarrierRefusal);
    await assert.rejects(carrier.ask('allocate', { ...wanted, transport: 'tls' }), CarrierRefusal);
    garbage.close();
    const process_id = await pid();
    const shown = ['cmdline', 'environ'].map((name) => `/proc/${process_id}/${name}`);
    for (const file of [...shown, join(run_folder, 'carrier.log')]) {
      assert.ok(!(await readFile(file, 'utf8')).includes(password), file);
    }
  });

  it('refuses what has the wrong shape, and goes on', async () => {
    await carrier.ensure();
    await carrier.ask('open', OPEN);
    const ask = carrier.ask.bind(carrier) as (command: string, facts: unknown) => Promise<unknown>;
    const place = { address: '192.0.2.1', port: 1 };
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ['fly', {}, /no such command/],
      ['toString', {}, /no such command/],
      ['links', { set: [{ peer: 'a', way: [] }], remove: [] }, /unknown member/],
      ['links', { set: [{ peer: 'a', ways: [{ via: 'none', to: place }] }], remove: [] }, /no allocation none/],
      ['links', { set: [{ peer: 'a', spares: [{ via: 'none', to: place }] }], remove: [] }, /no allocation none/],
      ['links', { set: [{ peer: 'a', spares: {} }], remove: [] }, /spares/],
      ['links', { set: [{ peer: 'a', ways: [{ direct: { address: 'localhost', port: 1 } }] }], remove: [] }, /ways/],
      ['links', { set: [{ peer: 'a', address: '10.0.0.1' }], remove: [] }, /no address for a link/],
      ['links', { set: [{ peer: 'a', address: '127.127.0.1' }], remove: [] }, /no address for a link/],
      ['links', { set: [{ peer: 'a', key: 'zz' }], remove: [] }, /key/],
      ['links', { set: [{ peer: 'x'.repeat(1000) }], remove: [] }, /peer/],
      ['ask', { to: { address: '192.0.2.1', port: 70_000 } }, /port/],
      ['echo', { to: '100.64.0.1' }, /nowhere/],
      ['message', { to: '100.64.0.1', text: '{}' }, /nowhere/],
      ['message', { to: '100.64.0.1', text: '' }, /1 to 1000 bytes/],
      ['message', { to: '100.64.0.1', text: {} }, /1 to 1000 bytes/],
      ['open', { node: 'another', wireguard_port: 51_820 }, /carrier of node-1/],
    ];
    for (const [command, facts, reason] of wrong) await assert.rejects(ask(command, facts), reason);
    for (const bytes of ['no json\n', '[]\n', '{"id":-1,"command":"state","with":{}}\n']) {
      const socket = connect(join(run_folder, 'carrier.sock'));
      socket.on('error', () => undefined).resume();
      socket.write(bytes);
      await once(socket, 'close');
    }
    const flood = connect(join(run_folder, 'carrier.sock'));
    flood.on('error', () => undefined).resume();
    flood.write(Buffer.alloc(20_000_000, 'x')); // one line without an end
    await new Promise((resolve) => flood.once('close', resolve));
    await until('it listens to us again', async () => {
      await carrier.ensure();
      return (await carrier.ask('state', {})).links.length === 0;
    });
  });

  it('gives ten thousand peers an address each, and takes no address twice', async () => {
    await carrier.ensure();
    const given = new Set<string>();
    for (let at = 0; at < 10_000; at += 2000) {
      const set = Array.from({ length: 2000 }, (_, index) => ({ peer: `node-${at + index}` }));
      for (const { address } of (await carrier.ask('links', { set, remove: [] })).addresses) given.add(address);
    }
    assert.equal(given.size, 10_000);
    const taken = { peer: 'another', address: '127.64.0.7' };
    await assert.rejects(carrier.ask('links', { set: [taken], remove: [] }), /another link/);
    await carrier.ask('links', { set: [taken], remove: ['node-7'] });
    assert.equal((await carrier.ask('state', {})).links.length, 10_000);
  });
});
