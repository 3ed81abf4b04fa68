import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { newFolder } from '../../../test/new-folder.ts';
import type { Gateway } from './gateway.ts';
import type { GrantedMapping, HeldMapping, MappingMethod, MappingProtocol, WantedMapping } from './mapping-protocol.ts';
import { PortMapping } from './port-mapping.ts';

const ROUTER = { address: '192.168.1.1', from: '192.168.1.5' };
const HOUR_MS = 3_600_000;
const GRANTED: GrantedMapping = { address: '198.51.100.7', port: 51_820, lifetime_s: 7200, epoch_s: null };

/** A way to ask a router that does what a test says, and writes down what it was asked for. */
class Scripted implements MappingProtocol {
  readonly method: MappingMethod;
  readonly asked: string[] = [];
  wanted: WantedMapping | undefined;
  /** Happens while it is asked. */
  meanwhile: (() => Promise<void>) | undefined;
  granted: GrantedMapping | Error;
  found: { readonly epoch_s: number | null } | 'lost' | Error = { epoch_s: null };

  constructor(method: MappingMethod, granted: GrantedMapping | Error = GRANTED) {
    [this.method, this.granted] = [method, granted];
  }

  async map(_: Gateway, wanted: WantedMapping): Promise<GrantedMapping> {
    this.asked.push('map');
    this.wanted = wanted;
    await this.meanwhile?.();
    if (this.granted instanceof Error) throw this.granted;
    return this.granted;
  }

  async unmap({ port }: HeldMapping): Promise<void> {
    this.asked.push(`unmap ${port}`);
  }

  async check(): Promise<{ readonly epoch_s: number | null } | 'lost'> {
    this.asked.push('check');
    if (this.found instanceof Error) throw this.found;
    return this.found;
  }
}

/** A host, its router, and an agent that may be started again. */
class World {
  readonly protocols: readonly Scripted[];
  readonly folder: string;
  readonly endpoints: (string | null)[] = [];
  gateway: Gateway | undefined = ROUTER;
  mapping: PortMapping;
  #now_ms = 0;

  constructor(folder: string, protocols: readonly Scripted[]) {
    [this.folder, this.protocols] = [folder, protocols];
    this.mapping = this.start();
  }

  start(port = 51_820): PortMapping {
    this.mapping = new PortMapping({
      port,
      folder: this.folder,
      protocols: this.protocols,
      gateway: async () => this.gateway,
      changed: (endpoint) => this.endpoints.push(endpoint),
      log: { info: () => undefined },
      now: () => this.#now_ms,
    });
    return this.mapping;
  }

  async allow(isAllowed: boolean): Promise<void> {
    this.mapping.allow(isAllowed);
    await this.pass(0);
  }

  /** Lets time pass, and what is due in it happen. */
  async pass(ms: number): Promise<void> {
    this.#now_ms += ms;
    mock.timers.tick(ms);
    await this.mapping.settled();
  }
}

async function world(context: TestContext, ...protocols: readonly Scripted[]): Promise<World> {
  const made = await newFolder();
  mock.timers.enable({ apis: ['setTimeout'] });
  const all = new World(made.path, protocols);
  context.after(async () => {
    all.mapping.allow(false); // closes what it hears routers by
    await all.pass(0);
    mock.timers.reset();
    await made[Symbol.asyncDispose]();
  });
  return all;
}

const REFUSED = new Error('it does not answer');

test('the first protocol that works makes the mapping', async (context) => {
  const [pcp, natPmp, upnp] = [new Scripted('PCP', REFUSED), new Scripted('NAT-PMP'), new Scripted('UPnP')];
  const all = await world(context, pcp, natPmp, upnp);
  await all.allow(true);
  assert.deepEqual([pcp.asked, natPmp.asked, upnp.asked], [['map'], ['map'], []]);
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820']);
  assert.deepEqual(all.mapping.state, {
    allowed: true,
    gateway: '192.168.1.1',
    method: 'NAT-PMP',
    endpoint: '198.51.100.7:51820',
    problem: null,
  });
});

test('nothing is asked before it is allowed, nor when it never was', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.pass(HOUR_MS);
  await all.allow(false);
  all.mapping.networkChanged();
  await all.pass(HOUR_MS);
  assert.deepEqual([pcp.asked, all.endpoints], [[], []]);
});

test('it is looked at every minute, and renewed when half of its life is over', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.allow(true);
  for (let minute = 0; minute < 59; minute += 1) await all.pass(60_000);
  assert.deepEqual(new Set(pcp.asked.slice(1)), new Set(['check']));
  await all.pass(60_000);
  assert.equal(pcp.asked.at(-1), 'map');
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820']);
});

test('a mapping that the router lost is made again, also when its epoch alone says so', async (context) => {
  const pcp = new Scripted('PCP', { ...GRANTED, epoch_s: 500_000 });
  const all = await world(context, pcp);
  await all.allow(true);
  pcp.found = { epoch_s: 500_060 };
  await all.pass(60_000);
  assert.deepEqual(pcp.asked, ['map', 'check']);
  pcp.found = { epoch_s: 12 };
  await all.pass(60_000);
  assert.deepEqual(pcp.asked, ['map', 'check', 'check', 'map']);
  pcp.found = 'lost';
  pcp.granted = { ...GRANTED, address: '198.51.100.8' };
  await all.pass(60_000);
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820', '198.51.100.8:51820']);
});

test('what the router lost and does not grant again is not reported any longer', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.allow(true);
  [pcp.found, pcp.granted] = ['lost', REFUSED];
  await all.pass(60_000);
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820', null]);
  assert.equal(all.mapping.state.problem, 'PCP: it does not answer');
});

test('while the router does not answer the mapping stands, until its life is over', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.allow(true);
  [pcp.found, pcp.granted] = [REFUSED, REFUSED];
  for (let minute = 0; minute < 119; minute += 1) await all.pass(60_000);
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820']);
  await all.pass(60_000);
  await all.pass(60_000);
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820', null]);
});

test('a router that offers nothing is asked less and less often, and at once when the network changes', async (context) => {
  const pcp = new Scripted('PCP', REFUSED);
  const all = await world(context, pcp);
  await all.allow(true);
  for (let minute = 0; minute < 180; minute += 1) await all.pass(60_000);
  assert.ok(pcp.asked.length <= 10, `${pcp.asked.length}`);
  const before = pcp.asked.length;
  all.mapping.networkChanged();
  await all.pass(500);
  assert.equal(pcp.asked.length, before + 1);
});

test('a host that is behind another router has its port there, and a host that is behind none has none', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.allow(true);
  all.gateway = { address: '10.0.0.1', from: '10.0.0.9' };
  pcp.granted = { ...GRANTED, address: '198.51.100.9', port: 40_001 };
  all.mapping.networkChanged();
  await all.pass(500);
  assert.equal(pcp.wanted?.outside_port, 51_820, 'what another router gave says nothing');
  all.gateway = { address: '203.0.113.1', from: '203.0.113.9' };
  all.mapping.networkChanged();
  await all.pass(500);
  assert.equal(all.mapping.state.problem, 'this host has a public address itself');
  all.gateway = undefined;
  all.mapping.networkChanged();
  await all.pass(500);
  assert.equal(all.mapping.state.problem, 'this host has no IPv4 gateway');
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820', null, '198.51.100.9:40001', null]);
  assert.deepEqual(pcp.asked, ['map', 'map'], 'at a router that is not ours any more nothing is deleted');
});

test('an agent that is started again asks for the same mapping, by the same protocol and with the same nonce', async (context) => {
  const [pcp, upnp] = [new Scripted('PCP', REFUSED), new Scripted('UPnP', { ...GRANTED, port: 40_001 })];
  const all = await world(context, pcp, upnp);
  await all.allow(true);
  const first = upnp.wanted;
  all.start();
  pcp.granted = GRANTED;
  await all.allow(true);
  assert.deepEqual([pcp.asked, upnp.asked], [['map'], ['map', 'map']]);
  assert.deepEqual(upnp.wanted, { ...first, outside_port: 40_001 });
  assert.match(first?.nonce ?? '', /^[0-9a-f]{24}$/);
});

test('an agent with another port gives the old mapping back first', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.allow(true);
  all.start(51_999);
  await all.allow(true);
  assert.deepEqual(pcp.asked, ['map', 'unmap 51820', 'map']);
  assert.equal(pcp.wanted?.outside_port, 51_999);
});

test('it is deleted when it is not allowed any more, also what an agent before left', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await all.allow(true);
  await all.allow(false);
  assert.deepEqual(all.endpoints, ['198.51.100.7:51820', null]);
  await all.allow(true);
  all.start();
  await all.mapping.end();
  await all.mapping.end();
  assert.deepEqual(pcp.asked, ['map', 'unmap 51820', 'map', 'unmap 51820']);
});

test('a file that is damaged is as good as none', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  const file = join(all.folder, 'port-mapping.json');
  for (const text of [
    '',
    '{}',
    'null',
    '{"nonce":"../","held":null}',
    '{"nonce":"0102030405060708090a0b0c","held":{"port":1}}',
  ]) {
    await writeFile(file, text, { mode: 0o600 });
    all.start();
    await all.allow(true);
    assert.equal(all.mapping.state.endpoint, '198.51.100.7:51820', text);
    assert.match(await readFile(file, 'utf8'), /"method":"PCP"/);
    await all.allow(false);
  }
});

test('a mapping that cannot be written down is given back', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  pcp.meanwhile = () => rm(all.folder, { recursive: true });
  await all.allow(true);
  assert.match(all.mapping.state.problem ?? '', /cannot be written/);
  assert.deepEqual([pcp.asked, all.endpoints], [['map', 'unmap 51820'], []]);
});

test('nothing is asked when what an agent before left cannot be read', async (context) => {
  const pcp = new Scripted('PCP');
  const all = await world(context, pcp);
  await writeFile(join(all.folder, 'port-mapping.json'), '{}', { mode: 0o644 });
  await all.allow(true);
  assert.match(all.mapping.state.problem ?? '', /open to others/);
  assert.deepEqual(pcp.asked, []);
});
