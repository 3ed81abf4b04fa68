/** An ingress from outside: a real nginx, a real DNS server, and other servers that pretend. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { IngressCheckProbe } from '@meshwork/contract';
import { INGRESS_PROOF_PATH } from '@meshwork/contract/vocabulary';
import dns, { type Answer } from 'dns-packet';
import { type GatewayScene, gatewayScene } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { showProof } from '../../engines/gateway/gateway-prober.ts';
import { checkIngress } from './check.ts';

const WWW = 'www-1.example.com';
const OTHER = 'www-2.example.com';
const TOKEN = 'a-token-that-was-not-guessed';
const ANSWER = 'an-answer-of-this-gateway-alone';
const ON = new AbortController().signal;
const HERE = '127.0.0.1';

/** Has these A records; a name without any has none, and `silent.` gets no answer. */
async function dnsServer(records: Readonly<Record<string, readonly string[]>>) {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const asked = dns.decode(message);
    const [question] = asked.questions ?? [];
    if (question === undefined || question.name.startsWith('silent.')) return;
    const found = question.type === 'A' ? (records[question.name] ?? []) : [];
    const answers = found.map((data): Answer => ({ type: 'A', name: question.name, ttl: 1, data }));
    const flags = dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE;
    const { id = 0, questions = [] } = asked;
    socket.send(dns.encode({ type: 'response', id, flags, questions, answers }), port, address);
  });
  socket.bind(0, HERE);
  await once(socket, 'listening');
  return {
    place: `${HERE}:${socket.address().port}`,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

async function listening<T extends Server>(server: T): Promise<T & AsyncDisposable & { readonly port: number }> {
  server.listen(0, HERE);
  await once(server, 'listening');
  return Object.assign(server, {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections();
      await closed;
    },
  });
}

describe('a check of an ingress from outside', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let names: Awaited<ReturnType<typeof dnsServer>>;
  let pem: string;
  let key: string;
  before(async () => {
    scene = await gatewayScene();
    names = await dnsServer({ [WWW]: [HERE], 'inside.example': ['10.1.2.3', '169.254.169.254', HERE] });
    const web = await scene.service('web');
    const made = await scene.certificate(WWW);
    pem = made.cert;
    key = made.key;
    const section = [
      ingressOf(1, {
        routes: [routeOf({ targets: [web.target(1)] })],
        tls: { chain: made.chain, redirect: true, clients: 'required', client_names: [] },
        maintenance: { message: 'closed', allow: [], retry_after_s: 60 },
      }),
      ingressOf(2, { hostname: OTHER, routes: [routeOf({ targets: [web.target(1)] })] }),
    ];
    const ca = await meshCa();
    await scene.server.serve({ section, ca: ca.root, lists: ca.lists().join('') });
  });
  after(async () => {
    await names?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  const probeOf = (over: Partial<IngressCheckProbe> = {}): IngressCheckProbe => ({
    ingress: ingressId(1),
    hostname: WWW,
    checks: [
      { protocol: 'https', port: scene.https_port },
      { protocol: 'http', port: scene.http_port },
    ],
    gateways: [],
    token: TOKEN,
    roots: [pem],
    within_ms: 8000,
    ...over,
  });
  const check = (over: Partial<IngressCheckProbe> = {}, resolvers = [names.place]) =>
    checkIngress(probeOf(over), { resolvers, addresses: [], signal: ON, permits: () => true });
  const show = (over: { readonly ingress?: string; readonly for_s?: number } = {}) =>
    showProof(scene, { ingress: ingressId(1), token: TOKEN, answer: ANSWER, for_s: 30, ...over });

  it('gets the proof of the gateway by HTTPS and HTTP, whatever the ingress asks of its visitors', async () => {
    const { generation } = await show();
    const seen = await check();
    assert.deepEqual([seen.addresses, seen.left_out, seen.dns_fault], [[HERE], 0, undefined]);
    const [secure, plain] = seen.places;
    const { certificate, ...rest } = secure ?? assert.fail();
    const proven = { address: HERE, in_dns: true, outcome: 'answered', status: 200, answer: ANSWER, generation };
    assert.deepEqual(rest, { ...proven, port: scene.https_port, protocol: 'https' });
    assert.deepEqual(plain, { ...proven, port: scene.http_port, protocol: 'http' });
    assert.deepEqual([certificate?.fits, certificate?.trusted_by, certificate?.names], [true, 'mesh', [`DNS:${WWW}`]]);
    const [unknown] = (await check({ roots: [] })).places;
    assert.equal(unknown?.certificate?.trusted_by, 'none');
    assert.match(unknown?.certificate?.why ?? '', /SELF_SIGNED/);
  });

  it('gets no proof at another host name, by another token, or when its time is over', async () => {
    await show();
    const answers = async (over: Partial<IngressCheckProbe>) =>
      (await check(over)).places.map(({ status, answer }) => [status, answer]);
    const http = [{ protocol: 'http' as const, port: scene.http_port }];
    assert.deepEqual(await answers({ checks: http, token: 'another-token-of-that-length' }), [[404, undefined]]);
    await using named = await dnsServer({ [OTHER]: [HERE] });
    const [other] = (await check({ hostname: OTHER, checks: http }, [named.place])).places;
    assert.deepEqual([other?.status, other?.answer], [404, undefined]);
    await assert.rejects(showProof(scene, { ingress: ingressId(9), token: TOKEN, answer: ANSWER, for_s: 1 }), /serve/);
    await show({ for_s: 1 });
    while ((await answers({ checks: http })).join() !== [404, undefined].join()) await pause(50);
    assert.equal((await scene.ask(OTHER)).status, 200, 'and services get the rest');
    assert.equal((await scene.ask(OTHER, { path: `${INGRESS_PROOF_PATH}${TOKEN}` })).status, 404);
  });

  it('goes on over a reload', async () => {
    await show();
    const section = [ingressOf(1, { tls: { chain: pem, redirect: false } })];
    await scene.server.serve({ section, ca: pem, lists: undefined });
    const seen = await check();
    assert.deepEqual(
      seen.places.map(({ answer, generation }) => [answer, generation]),
      [
        [ANSWER, scene.server.generation],
        [ANSWER, scene.server.generation],
      ],
    );
  });

  it('says what answers in its place, and follows nothing', async () => {
    const asked: string[] = [];
    const pretends: RequestListener = ({ url = '' }, response) => {
      asked.push(url);
      if (asked.length === 1) response.writeHead(302, { location: `http://${HERE}/elsewhere` }).end();
      else if (asked.length === 2) response.end('x'.repeat(100_000));
      else response.end(JSON.stringify({ answer: '../../<script>', generation: 7 }));
    };
    await using foreign = await listening(createServer(pretends));
    const http = [{ protocol: 'http' as const, port: foreign.port }];
    for (const status of [302, 200, 200]) {
      const [place] = (await check({ checks: http })).places;
      assert.deepEqual(place, {
        address: HERE,
        port: foreign.port,
        protocol: 'http',
        in_dns: true,
        outcome: 'answered',
        status,
      });
    }
    assert.deepEqual(new Set(asked), new Set([`${INGRESS_PROOF_PATH}${TOKEN}`]));
    await using wrong = await listening(createHttps({ cert: pem, key }, (_, response) => response.end('{}')));
    await using named = await dnsServer({ [OTHER]: [HERE] });
    const secure = [{ protocol: 'https' as const, port: wrong.port }];
    const [place] = (await check({ hostname: OTHER, checks: secure }, [named.place])).places;
    assert.deepEqual([place?.outcome, place?.certificate?.fits, place?.answer], ['answered', false, undefined]);
  });

  it('says how a port does not answer', async () => {
    const free = await listening(createServer());
    const { port } = free;
    await free[Symbol.asyncDispose]();
    await using mute = await listening(createServer(() => undefined));
    await using rude = await listening(createServer((request) => request.socket.end('no http at all\r\n\r\n')));
    const outcomes = async (protocol: 'http' | 'https' | 'tcp', at: number) =>
      (await check({ checks: [{ protocol, port: at }] })).places.map(({ outcome }) => outcome);
    assert.deepEqual(await outcomes('https', port), ['refused']);
    assert.deepEqual(await outcomes('tcp', mute.port), ['connected']);
    assert.deepEqual(await outcomes('http', rude.port), ['no_http']);
    assert.deepEqual(await outcomes('https', rude.port), ['no_tls']);
    assert.deepEqual(
      await outcomes('http', mute.port),
      ['no_http'],
      'one that says nothing is not waited for any longer',
    );
    assert.deepEqual(await outcomes('https', scene.http_port), ['no_tls']);
  });

  it('says what DNS does not', async () => {
    const fault = async (hostname: string, resolvers?: string[]) => (await check({ hostname }, resolvers)).dns_fault;
    assert.equal(await fault('nowhere.example'), 'no_record');
    assert.equal(await fault('silent.example'), 'no_answer');
    assert.equal(await fault(WWW, []), 'no_resolver');
    await assert.rejects(check({ hostname: 'a b' }), /not a host name/);
  });

  it('connects to nothing but public addresses, and private ones that gateways report', async () => {
    const connections: number[] = [];
    await using watched = await listening(createServer());
    watched.on('connection', () => connections.push(1));
    const checks = [{ protocol: 'tcp' as const, port: watched.port }];
    const probe = probeOf({
      hostname: 'inside.example',
      checks,
      gateways: [{ address: HERE, checks }],
    });
    const seen = await checkIngress(probe, { resolvers: [names.place], addresses: [], signal: ON });
    assert.deepEqual(
      seen.places.map(({ address, outcome }) => [address, outcome]),
      ['10.1.2.3', '169.254.169.254', HERE].map((address) => [address, 'forbidden']),
    );
    assert.deepEqual(connections, []);
  });

  it('ends when it is not waited for any more', async () => {
    await using mute = await listening(createServer(() => undefined));
    const over = new AbortController();
    mute.on('connection', () => over.abort());
    const probe = probeOf({ checks: [{ protocol: 'http', port: mute.port }] });
    const seen = await checkIngress(probe, {
      resolvers: [names.place],
      addresses: [],
      signal: over.signal,
      permits: () => true,
    });
    assert.notEqual(seen.places[0]?.outcome, 'answered');
  });
});
