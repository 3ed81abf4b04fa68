/** What the server says of host names of ingresses, and of what lies below them. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import dns from 'dns-packet';
import { Zone } from '../zone/zone.ts';
import { Listener } from './listener.ts';
import { NameServer } from './name-server.ts';

const OWN = '127.0.0.1';
const GATEWAYS = ['100.64.0.2', 'fd64::2', '100.64.0.3', 'fd64::3'];
const HTTPS = 65;

describe('the DNS server, asked for the host name of an ingress', () => {
  const zone = new Zone();
  /** Another server of the host, which knows a mail server of every name. */
  const other = createSocket('udp4');
  const asked: string[] = [];
  let server: NameServer;
  let listener: Listener;
  let resolver: Resolver;
  before(async () => {
    other.bind(0, OWN);
    await once(other, 'listening');
    other.on('message', (raw, from) => {
      const { id = 0, questions = [] } = dns.decode(raw);
      const [{ name, type } = assert.fail()] = questions;
      asked.push(`${type} ${name}`);
      const answers = type === 'MX' ? [{ type, name, data: { exchange: 'mail.example.org', preference: 10 } }] : [];
      other.send(dns.encode({ type: 'response', id, questions, answers }), from.port, from.address);
    });
    zone.setRecords([{ name: 'wiki', addresses: ['10.0.0.1'] }]);
    server = new NameServer(zone, { port: other.address().port, isOwn: () => false });
    const hostnames = ['example.org', 'wiki.mesh', 'shop.mesh'];
    server.setIngresses(
      hostnames.map((hostname) => ({ hostname, addresses: GATEWAYS })),
      ['example.org'],
    );
    listener = await Listener.open({ address: OWN, port: 0, server, isOwn: (from) => from === OWN });
    resolver = new Resolver({ timeout: 5000, tries: 1 });
    resolver.setServers([`${OWN}:${listener.port}`]);
  });
  after(() => {
    listener.close();
    other.close();
  });

  it('answers with the gateways that serve it', async () => {
    assert.deepEqual(await resolver.resolve4('Example.ORG', { ttl: true }), [
      { address: '100.64.0.2', ttl: 5 },
      { address: '100.64.0.3', ttl: 5 },
    ]);
    assert.deepEqual(await resolver.resolve6('example.org'), ['fd64::2', 'fd64::3']);
    assert.deepEqual(await resolver.resolve4('shop.mesh'), ['100.64.0.2', '100.64.0.3']);
  });

  it('prefers a record of an operator', async () => {
    assert.deepEqual(await resolver.resolve4('wiki.mesh'), ['10.0.0.1']);
  });

  it('prefers the name of an ingress to the resolvers of the domain that it lies in', async () => {
    server.setDomains([{ domain: 'org', resolvers: ['127.0.0.9'] }]);
    assert.equal((await resolver.resolve4('example.org')).length, 2);
    server.setDomains([]);
  });

  it('has no other way to the host than these: what is said of HTTPS outside may lead elsewhere', async () => {
    const raw = dns.encode({
      type: 'query',
      id: 7,
      flags: dns.RECURSION_DESIRED,
      questions: [{ type: 'A', name: 'example.org' }],
    });
    raw.writeUInt16BE(HTTPS, raw.length - 4);
    const { answers, flags } = dns.decode((await server.answer(raw, 'udp')) ?? assert.fail());
    assert.deepEqual([answers, (flags ?? 0) & 15], [[], 0]);
  });

  it('refuses the rest, so that the host goes on to its next server', async () => {
    await assert.rejects(resolver.resolveMx('example.org'), { code: 'EREFUSED' });
    await assert.rejects(resolver.resolve4('deep.example.org'), { code: 'EREFUSED' });
    assert.deepEqual(asked, []);
  });

  it('asks the other servers of the host for the rest, where the host does not go on', async () => {
    server.others = async () => [OWN];
    assert.deepEqual(await resolver.resolveMx('example.org'), [
      { exchange: 'mail.example.org', priority: 10, type: 'MX' },
    ]);
    await assert.rejects(resolver.resolve4('deep.example.org'), { code: 'ENODATA' });
    await assert.rejects(resolver.resolve4('example.net'), { code: 'EREFUSED' });
    assert.deepEqual(asked, ['MX example.org', 'A deep.example.org']);
  });
});
