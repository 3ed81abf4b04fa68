/** The server, asked by c-ares, which is what Node resolves with, and by hand where a resolver would not ask like that. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import dns, { type Answer, type DecodedPacket, type Packet } from 'dns-packet';
import { Zone, type ZoneNode } from '../zone/zone.ts';
import { framed } from './forwarder.ts';
import { Listener } from './listener.ts';
import { NameServer } from './name-server.ts';

const SELF: ZoneNode = { name: 'a', address: '100.64.0.1/32', address6: 'fd64::1/128' };
const WEB: ZoneNode = {
  name: 'web-1',
  address: '100.64.0.2/32',
  address6: 'fd64::2/128',
  services: [{ name: 'web', protocol: 'tcp', port: 8080 }],
};
const OWN = '127.0.0.1';
/** A peer, as far as the server can tell. */
const PEER = '127.0.0.2';
/** The kernel refuses to connect there, as it does with IPv6 on a host that has none. */
const NO_WAY = '255.255.255.255';

describe('the DNS server', () => {
  const zone = new Zone();
  let server: NameServer;
  let listener: Listener;
  let resolver: Resolver;
  before(async () => {
    zone.put(SELF);
    zone.put(WEB);
    zone.setRecords([
      { name: 'wiki', cname: 'web-1.mesh' },
      { name: 'lost', cname: 'gone.mesh' },
      { name: 'one', cname: 'two.mesh' },
      { name: 'two', cname: 'one.mesh' },
      { name: '*.apps', addresses: ['10.0.0.1', '10.0.0.2'] },
      {
        name: 'many',
        addresses: Array.from({ length: 16 }, (_, last) => `2001:db8:1111:2222:3333:4444:5555:${last + 1}`),
      },
    ]);
    server = new NameServer(zone, { isOwn: () => false });
    server.setNetworks(['100.64.0.0/10', 'fd64::/64']);
    listener = await Listener.open({ address: OWN, port: 0, server, isOwn: (from) => from === OWN });
    resolver = new Resolver({ timeout: 5000, tries: 1 });
    resolver.setServers([`${OWN}:${listener.port}`]);
  });
  after(() => listener.close());

  /** One datagram from an address, and what comes back. Undefined: nothing before the answer to a second, sound one. */
  async function send(bytes: Buffer, from = OWN): Promise<DecodedPacket | undefined> {
    const socket = createSocket('udp4');
    try {
      socket.bind(0, from);
      await once(socket, 'listening');
      const marker = dns.encode({ type: 'query', id: 0xbeef, questions: [{ type: 'A', name: 'a.mesh' }] });
      for (const one of [bytes, marker]) socket.send(one, listener.port, OWN);
      const [answer] = (await once(socket, 'message')) as [Buffer];
      return answer.readUInt16BE(0) === 0xbeef && bytes.readUInt16BE(0) !== 0xbeef ? undefined : dns.decode(answer);
    } finally {
      socket.close();
    }
  }
  const query = (packet: Packet) => dns.encode({ type: 'query', id: 7, flags: dns.RECURSION_DESIRED, ...packet });
  const ask = (name: string, type: 'A' | 'AAAA' | 'SOA' | 'AXFR' | 'TXT' = 'A') =>
    send(query({ questions: [{ type, name }] }));
  const rcode = (packet: DecodedPacket | undefined) => (packet as { rcode?: string } | undefined)?.rcode;

  it('answers for nodes, services, records and addresses', async () => {
    assert.deepEqual(await resolver.resolve4('web-1.mesh', { ttl: true }), [{ address: '100.64.0.2', ttl: 5 }]);
    assert.deepEqual(await resolver.resolve6('WEB-1.Mesh'), ['fd64::2']);
    assert.deepEqual(await resolver.resolve4('web.svc.mesh'), ['100.64.0.2']);
    assert.deepEqual(await resolver.resolveSrv('_web._tcp.mesh'), [
      { type: 'SRV', name: 'web-1.mesh', port: 8080, priority: 0, weight: 0 },
    ]);
    assert.deepEqual(await resolver.resolveSrv('_web._tcp.web-1.mesh'), [
      { type: 'SRV', name: 'web-1.mesh', port: 8080, priority: 0, weight: 0 },
    ]);
    assert.deepEqual(await resolver.resolve4('any.thing.apps.mesh'), ['10.0.0.1', '10.0.0.2']);
    assert.deepEqual(await resolver.resolve4('wiki.mesh'), ['100.64.0.2'], 'through the alias');
    assert.deepEqual(await resolver.resolveCname('wiki.mesh'), ['web-1.mesh']);
    assert.deepEqual(await resolver.reverse('100.64.0.2'), ['web-1.mesh']);
    assert.deepEqual(await resolver.reverse('fd64::2'), ['web-1.mesh']);
  });

  it('says what is not there, for how long that holds, and what it will not answer', async () => {
    await assert.rejects(resolver.resolve4('unknown.mesh'), { code: 'ENOTFOUND' });
    await assert.rejects(resolver.resolve6('any.apps.mesh'), { code: 'ENODATA' });
    await assert.rejects(resolver.reverse('100.64.0.9'), { code: 'ENOTFOUND' });
    assert.equal(rcode(await ask('1.2.0.192.in-addr.arpa')), 'REFUSED');
    await assert.rejects(resolver.resolve4('example.org'), { code: 'EREFUSED' });
    await assert.rejects(resolver.resolve4('notmesh'), { code: 'EREFUSED' });
    const none = await ask('unknown.mesh');
    const [soa] = none?.authorities ?? [];
    assert.ok(soa?.type === 'SOA' && soa.ttl === 5 && soa.data.minimum === 5 && none?.flag_aa);
    assert.equal(rcode(await ask('lost.mesh')), 'NXDOMAIN');
    assert.equal((await ask('lost.mesh'))?.answers?.[0]?.type, 'CNAME');
    assert.equal(rcode(await ask('one.mesh')), 'SERVFAIL', 'a circle of aliases');
    assert.equal(rcode(await ask('mesh', 'AXFR')), 'REFUSED');
    assert.equal(rcode(await ask('web-1.mesh', 'TXT')), 'NOERROR');
    assert.equal((await ask('mesh', 'SOA'))?.answers?.[0]?.type, 'SOA');
  });

  it('cuts what does not fit, by the size that the asker names, and has it whole by TCP', async () => {
    const plain = await ask('many.mesh', 'AAAA');
    assert.deepEqual([plain?.flag_tc, plain?.answers?.length], [true, 0]);
    const opt = (udpPayloadSize: number, ednsVersion = 0): Answer => ({
      type: 'OPT',
      name: '.',
      udpPayloadSize,
      extendedRcode: 0,
      ednsVersion,
      flags: 0,
      flag_do: false,
      options: [],
    });
    const asked = (size: number, version?: number) =>
      send(query({ questions: [{ type: 'AAAA', name: 'many.mesh' }], additionals: [opt(size, version)] }));
    const wide = await asked(4096);
    assert.deepEqual([wide?.flag_tc, wide?.answers?.length], [false, 16]);
    assert.ok(wide?.additionals?.some(({ type }) => type === 'OPT'));
    assert.equal((await asked(100))?.flag_tc, true, 'no less than 512');
    const [newer] = (await asked(4096, 1))?.additionals ?? [];
    assert.ok(newer?.type === 'OPT' && newer.extendedRcode === 1, 'BADVERS');
    assert.equal((await resolver.resolve6('many.mesh')).length, 16, 'c-ares goes on by TCP');
  });

  for (const [what, bytes, expected] of [
    ['a header alone', Buffer.alloc(12), 'FORMERR'],
    [
      'a name without an end',
      Buffer.concat([query({ questions: [] }).fill(1, 5, 6), Buffer.from([63, 97])]),
      'FORMERR',
    ],
    [
      'a pointer to itself',
      Buffer.concat([query({ questions: [] }).fill(1, 5, 6), Buffer.from([0xc0, 12, 0, 1, 0, 1])]),
      'FORMERR',
    ],
    ['more records than there are', query({ questions: [{ type: 'A', name: 'a.mesh' }] }).fill(0xff, 6, 12), 'FORMERR'],
    [
      'two questions',
      query({
        questions: [
          { type: 'A', name: 'a.mesh' },
          { type: 'A', name: 'a.mesh' },
        ],
      }),
      'FORMERR',
    ],
    ['another class', query({ questions: [{ type: 'A', name: 'a.mesh', class: 'CH' }] }), 'REFUSED'],
    ['another opcode', query({ questions: [{ type: 'A', name: 'a.mesh' }] }).fill(0x28, 2, 3), 'NOTIMP'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      assert.equal(rcode(await send(Buffer.from(bytes))), expected);
    });
  }

  it('has no answer for answers and scraps', async () => {
    assert.equal(
      await send(dns.encode({ type: 'response', id: 7, questions: [{ type: 'A', name: 'a.mesh' }] })),
      undefined,
    );
    assert.equal(await send(Buffer.from([1, 2, 3])), undefined);
  });

  it('refuses a peer, also what it would tell this host', async () => {
    const asked = await send(query({ questions: [{ type: 'A', name: 'web-1.mesh' }] }), PEER);
    assert.deepEqual([rcode(asked), asked?.answers], ['REFUSED', []]);
    assert.equal(asked?.questions?.[0]?.name, 'web-1.mesh', 'with its question, or a resolver does not take it');
    const socket = connect({ port: listener.port, host: OWN, localAddress: PEER });
    socket.on('error', () => undefined);
    socket.write(framed(query({ questions: [{ type: 'A', name: 'web-1.mesh' }] })));
    const got: Buffer[] = [];
    socket.on('data', (bytes) => got.push(bytes));
    await new Promise((resolve) => socket.on('close', resolve));
    assert.deepEqual(got, []);
  });

  it('goes on after ten megabytes of noise by TCP, and a thousand datagrams of it', async () => {
    const noise = Buffer.alloc(10 * 1024 * 1024, 0x5a);
    const socket = connect({ port: listener.port, host: OWN });
    socket.on('error', () => undefined); // it is cut off
    socket.write(noise);
    await new Promise((resolve) => socket.on('close', resolve));
    const udp = createSocket('udp4');
    for (let count = 0; count < 1000; count++) udp.send(noise.subarray(0, 1 + (count % 600)), listener.port, OWN);
    assert.deepEqual(await resolver.resolve4('web-1.mesh'), ['100.64.0.2']);
    udp.close();
  });

  it('answers for ten thousand names', async () => {
    const large = new Zone();
    const fill = (prefix: string) => {
      large.clearNodes();
      for (let count = 0; count < 10_000; count++) {
        const [high, low] = [count >> 8, count & 255];
        large.put({
          name: `${prefix}-${count}`,
          address: `100.64.${high}.${low}/32`,
          address6: `fd64::${count.toString(16)}/128`,
        });
      }
    };
    fill('node');
    const big = new NameServer(large, { isOwn: () => false });
    const raw = (name: string) => query({ questions: [{ type: 'A', name }] });
    for (const count of [0, 4321, 9999]) {
      const answer = await big.answer(raw(`node-${count}.mesh`), 'udp');
      const [first] = dns.decode(answer ?? Buffer.alloc(0)).answers ?? [];
      assert.ok(first?.type === 'A' && first.data === `100.64.${count >> 8}.${count & 255}`);
    }
    fill('other');
    const said = async (name: string) => rcode(dns.decode((await big.answer(raw(name), 'udp')) ?? Buffer.alloc(0)));
    assert.deepEqual([await said('node-9999.mesh'), await said('other-9999.mesh')], ['NXDOMAIN', 'NOERROR']);
    large.remove({ name: 'other-9999', address: '100.64.39.15/32' });
    assert.deepEqual([await said('other-9999.mesh'), large.size], ['NXDOMAIN', 9999]);
  });

  it('fails queries for a routing domain at once while too many wait for its resolver', async () => {
    const silent = createSocket('udp4');
    silent.bind(0, OWN);
    await once(silent, 'listening');
    const forwarding = new NameServer(zone, { port: silent.address().port, isOwn: () => false });
    forwarding.setDomains([{ domain: 'corp.example', resolvers: [OWN] }]);
    let answered = 0;
    const all = Array.from({ length: 140 }, async (_, number) => {
      const question = { type: 'A', name: `${number}.corp.example` } as const;
      const answer = await forwarding.answer(query({ questions: [question] }), 'udp');
      answered++;
      return rcode(dns.decode(answer ?? Buffer.alloc(0)));
    });
    await all.at(-1);
    assert.equal(answered, 140 - 128);
    assert.deepEqual(new Set(await Promise.all(all)), new Set(['SERVFAIL']));
    silent.close();
  });

  it('asks the resolver of a routing domain, and takes no answer but its own to this question', async () => {
    const upstream = createSocket('udp4');
    upstream.bind(0, OWN);
    await once(upstream, 'listening');
    const { port } = upstream.address();
    const streams = createServer((socket) => {
      socket.once('data', (bytes) => {
        const asked = dns.decode(bytes.subarray(2));
        const data = 'by-tcp';
        const { id, questions = [] } = asked;
        socket.end(
          framed(
            dns.encode({
              type: 'response',
              ...(id === undefined ? {} : { id }),
              questions,
              answers: [{ type: 'TXT', name: 'big.corp.example', data }],
            }),
          ),
        );
      });
    });
    streams.listen(port, OWN);
    await once(streams, 'listening');
    const forwarding = new NameServer(zone, { port, isOwn: (address) => address === PEER });
    forwarding.setDomains([
      { domain: 'corp.example', resolvers: [PEER, NO_WAY, OWN] },
      { domain: 'dead.corp.example', resolvers: [PEER] },
    ]);
    const spoofer = createSocket('udp4');
    upstream.on('message', (raw, from) => {
      const { id = 0, questions = [] } = dns.decode(raw);
      const [question] = questions;
      const name = question?.name ?? '';
      const say = (data: string, more: Packet = {}) =>
        dns.encode({ type: 'response', id, questions, answers: [{ type: 'A', name, data }], ...more });
      const back = (bytes: Buffer) => upstream.send(bytes, from.port, from.address);
      spoofer.send(say('6.6.6.1'), from.port, from.address); // from elsewhere
      back(say('6.6.6.2', { id: (id + 1) & 0xffff }));
      back(say('6.6.6.3', { questions: [{ type: 'A', name: 'other.example' }] }));
      if (name.startsWith('big')) back(say('6.6.6.4', { answers: [], flags: dns.TRUNCATED_RESPONSE }));
      else back(say('10.9.9.9'));
    });
    try {
      const asking = (name: string, by: 'udp' | 'tcp' = 'udp', type: 'A' | 'TXT' = 'A') =>
        forwarding.answer(query({ questions: [{ type, name }] }), by);
      const answer = dns.decode((await asking('Host.corp.example')) ?? Buffer.alloc(0));
      assert.deepEqual([answer.id, answer.answers?.map((one) => 'data' in one && one.data)], [7, ['10.9.9.9']]);
      assert.equal(rcode(dns.decode((await asking('example')) ?? Buffer.alloc(0))), 'REFUSED');
      assert.equal(rcode(dns.decode((await asking('xcorp.example')) ?? Buffer.alloc(0))), 'REFUSED');
      assert.equal(rcode(dns.decode((await asking('a.dead.corp.example')) ?? Buffer.alloc(0))), 'SERVFAIL');
      assert.equal(dns.decode((await asking('big.corp.example')) ?? Buffer.alloc(0)).flag_tc, true);
      const whole = dns.decode((await asking('big.corp.example', 'tcp', 'TXT')) ?? Buffer.alloc(0));
      assert.equal(whole.answers?.[0]?.type, 'TXT');
    } finally {
      upstream.close();
      spoofer.close();
      streams.close();
      await pause(0);
    }
  });
});
