/** Answers to challenges of outside authorities, in a real nginx: what an authority finds, where, for how long, and what others find. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionOptions, connect } from 'node:tls';
import type { IngressAssignment, ShowChallengeProbe } from '@meshwork/contract';
import { readChallengeCertificate } from '@meshwork/pki';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf, trafficOf } from '../../../../test/ingress-section.ts';
import { meshCa } from '../../../../test/mesh-ca.ts';
import { type StreamService, streamService } from '../../../../test/stream-service.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';

const [WWW, OTHER, VAULT] = ['www-1.example.com', 'www-2.example.com', 'www-3.example.com'];
const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA';
const ANSWER = `${TOKEN}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI`;
const PATH = '/.well-known/acme-challenge/';
const ACME = ['acme-tls/1'];
const HERE = '127.0.0.1';
const BALANCERS = '127.0.9.0/24';

for (const proxy_protocol of [[], [`${HERE}/32`, BALANCERS]]) {
  describe(`challenges ${proxy_protocol.length === 0 ? 'at' : 'behind load balancers at'} a gateway`, {
    timeout: 160_000,
  }, () => {
    let scene: GatewayScene;
    let web: Service;
    let vault: StreamService;
    let chain: string;
    let ca: Awaited<ReturnType<typeof meshCa>>;
    before(async () => {
      scene = await gatewayScene({ proxy_protocol, reload_every_ms: 0 });
      web = await scene.service('web');
      vault = await streamService('vault', { tls: await scene.certificate(VAULT) });
      chain = (await scene.certificate(WWW)).chain;
      ca = await meshCa();
    });
    after(async () => {
      await scene[Symbol.asyncDispose]();
      await vault[Symbol.asyncDispose]();
    });

    const serve = (section: readonly IngressAssignment[], server = scene.server) =>
      server.serve({ section, ca: ca.root, lists: ca.lists().join(''), policies: [policyOf(1)] });
    const ordered = (
      challenge: 'http-01' | 'tls-alpn-01',
      tls: Partial<NonNullable<IngressAssignment['tls']>> = {},
      over: Partial<IngressAssignment> = {},
    ) =>
      ingressOf(1, {
        routes: [routeOf({ targets: [web.target(1)] })],
        tls: { chain, redirect: true, challenge, ...tls },
        ...over,
      });
    const show = (over: Partial<ShowChallengeProbe> = {}, { challenges } = scene as Pick<GatewayScene, 'challenges'>) =>
      challenges.show({
        ingress: ingressId(1),
        hostname: WWW,
        type: 'http-01',
        token: TOKEN,
        key_authorization: ANSWER,
        for_s: 60,
        ...over,
      });
    /** As a client connects, or a load balancer for it. */
    const dial = (port: number, host = HERE) => {
      const socket = connectPlain({ host, port });
      socket.on('error', () => undefined);
      if (proxy_protocol.length > 0 && host === HERE) {
        socket.write(`PROXY TCP4 203.0.113.9 198.51.100.1 40000 ${port}\r\n`);
      }
      return socket;
    };
    /** As an authority looks, by plain HTTP. */
    const look = async (hostname = WWW, { path = `${PATH}${TOKEN}`, host = HERE } = {}) => {
      const socket = dial(scene.http_port, host);
      socket.write(`GET ${path} HTTP/1.0\r\nHost: ${hostname}\r\n\r\n`);
      let text = '';
      for await (const piece of socket) text += String(piece);
      return [/^HTTP\/1\.1 (\d+)/.exec(text)?.[1], text.slice(text.indexOf('\r\n\r\n') + 4)];
    };
    /** What a handshake brought. Undefined: there was none. */
    const greet = async (servername: string, ALPNProtocols: string[] | undefined, host = HERE) => {
      const offered: ConnectionOptions = ALPNProtocols === undefined ? {} : { ALPNProtocols };
      const socket = dial(scene.https_port, host);
      const secure = connect({ socket, servername, rejectUnauthorized: false, ...offered });
      const over = new Promise<'over'>((resolve) => {
        secure.on('error', () => resolve('over'));
        secure.on('close', () => resolve('over'));
      });
      const first = await Promise.race([once(secure, 'secureConnect').catch(() => 'over' as const), over]);
      const seen = { alpn: secure.alpnProtocol, raw: secure.getPeerCertificate?.()?.raw };
      secure.destroy();
      socket.destroy();
      return first === 'over' ? undefined : seen;
    };
    const authorityFinds = async (hostname = WWW, host = HERE) => {
      const { alpn, raw } = (await greet(hostname, ACME, host)) ?? {};
      if (raw === undefined) return undefined;
      const { names, shown_sha256 } = readChallengeCertificate(new Uint8Array(raw)) ?? assert.fail();
      return { alpn, names: [...names], shown_sha256 };
    };
    const FOUND = { alpn: 'acme-tls/1', names: [WWW], shown_sha256: hash('sha256', ANSWER, 'hex') };

    for (const [asks, tls, over] of [
      ['sends people on to HTTPS', {}, {}],
      ['has no certificate yet', { chain: null, given: `given_${'0'.repeat(26)}` }, {}],
      ['asks for certificates, and is under maintenance', { clients: 'required' }, { closed: true }],
      ['has its WAF and networks, by plain HTTP too', { redirect: false }, { inspected: true }],
      ['drains', { redirect: false }, { drains: true }],
    ] as const) {
      it(`are answered by plain HTTP where an ingress ${asks}`, async () => {
        const { closed = false, inspected = false, drains = false } = over as Readonly<Record<string, boolean>>;
        const refused = trafficOf({ networks: { allow: [], deny: ['0.0.0.0/0', '::/0'] } });
        const rules = inspected ? { traffic: refused, waf: wafId(1) } : {};
        const more = {
          draining: drains,
          maintenance: closed ? { message: 'closed', allow: [], retry_after_s: 60 } : null,
          routes: [routeOf({ targets: [web.target(1)], ...rules })],
        };
        await serve([ordered('http-01', tls, more)]);
        const [generation, workers] = [scene.server.generation, await scene.workers()];
        const asked = web.requests.length;
        await show();
        assert.deepEqual(await look(), ['200', ANSWER]);
        const [status, words] = await look(WWW, { path: `${PATH}another-token-of-that-length` });
        assert.deepEqual([status, words], ['404', 'This gateway answers no such challenge.\n']);
        assert.notEqual((await look(OTHER))[1], ANSWER, 'of another host name');
        assert.equal(web.requests.length, asked, 'the service was not asked');
        assert.deepEqual([scene.server.generation, await scene.workers()], [generation, workers], 'without a reload');
        assert.equal(await scene.server.fault(), null);
        const problem = scene.server.observed()[0]?.problem;
        if (asks === 'has no certificate yet') {
          assert.equal(problem, 'it is not served over TLS: the certificate that was ordered for it has not come yet');
          assert.equal(await greet(WWW, undefined), undefined);
        }
      });
    }

    it('are answered by TLS to those who offer acme-tls/1 alone, and all others get what they got', async () => {
      await serve([
        ordered('tls-alpn-01'),
        ingressOf(2, { routes: [routeOf({ targets: [web.target(1)] })], tls: { chain: null, redirect: false } }),
        ingressOf(3, {
          kind: 'tls',
          routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [vault.target(3)] })],
        }),
      ]);
      const own = (await greet(WWW, undefined))?.raw ?? assert.fail();
      const generation = scene.server.generation;
      assert.equal(await authorityFinds(), undefined, 'nothing is shown without a challenge');
      await show({ type: 'tls-alpn-01' });
      assert.deepEqual(await authorityFinds(), FOUND);
      assert.deepEqual(await authorityFinds('WWW-1.Example.COM'), FOUND);
      for (const [offered, agreed] of [
        [['h2'], 'h2'],
        [['http/1.1'], 'http/1.1'],
        [['acme-tls/1', 'h2'], 'h2'],
        [['http/1.1', 'acme-tls/1'], 'http/1.1'],
        [undefined, false],
      ] as const) {
        const seen = (await greet(WWW, offered === undefined ? undefined : [...offered])) ?? assert.fail();
        assert.deepEqual([seen.alpn, seen.raw], [agreed, own], offered?.join() ?? 'none');
      }
      for (const name of [OTHER, 'www-9.example.com', '']) assert.equal(await authorityFinds(name), undefined, name);
      const through = (await greet(VAULT, ACME))?.raw;
      assert.deepEqual(through, (await greet(VAULT, undefined))?.raw, 'a service has challenges of its own');
      assert.equal(scene.server.generation, generation, 'without a reload');
      await show({ type: 'tls-alpn-01' });
      const again = ANSWER.replace(/^.{5}/, 'other');
      await show({ type: 'tls-alpn-01', token: again.split('.')[0] ?? '', key_authorization: again });
      assert.equal((await authorityFinds())?.shown_sha256, hash('sha256', again, 'hex'), 'the last one counts');
    });

    it('are shown where no certificate has come yet, and the port is open for that alone', async () => {
      await serve([ordered('tls-alpn-01', { chain: null, given: `given_${'0'.repeat(26)}` })]);
      await show({ type: 'tls-alpn-01' });
      assert.deepEqual(await authorityFinds(), FOUND);
      assert.equal(await greet(WWW, ['h2']), undefined);
      const places = await Promise.all(
        ['challenges/answers.sock', 'challenges'].map((one) => stat(join(scene.path, one))),
      );
      assert.deepEqual(
        places.map(({ mode, uid, gid }) => [(mode & 0o777).toString(8), uid, gid]),
        [
          ['660', 0, places[1]?.gid],
          ['750', 0, (await stat(scene.path)).gid],
        ],
        'for nginx alone',
      );
      assert.notEqual(places[1]?.gid, 0);
    });

    if (proxy_protocol.length === 0) {
      it('are answered over IPv6 too', async () => {
        await serve([ordered('http-01')]);
        await show();
        assert.deepEqual(await look(WWW, { host: '::1' }), ['200', ANSWER]);
        await serve([ordered('tls-alpn-01')]);
        await show({ type: 'tls-alpn-01' });
        assert.deepEqual(await authorityFinds(WWW, '::1'), FOUND);
      });
    }

    it('leave nothing when their time is over, or when no ingress has them any more', async () => {
      await serve([ordered('http-01')]);
      await show({ for_s: 1 });
      for (let [status] = await look(); status !== '404'; [status] = await look()) await pause(50);
      await serve([ordered('tls-alpn-01')]);
      await show({ type: 'tls-alpn-01', for_s: 1 });
      const left = () => readdir(join(scene.path, 'challenges'));
      while ((await left()).length > 0) await pause(50);
      assert.equal(await authorityFinds(), undefined);
      await show({ type: 'tls-alpn-01' });
      assert.deepEqual(await left(), ['answers.sock']);
      await serve([ordered('http-01')]);
      assert.deepEqual(await left(), []);
    });

    it('are known to a gateway whose agent or nginx was started anew', async () => {
      await serve([ordered('http-01')]);
      await show();
      const next = scene.another();
      await serve([ordered('http-01')], next.server);
      assert.deepEqual(await look(), ['200', ANSWER], 'nginx remembers while it runs');
      await show({}, next);
      await next.nginx.end();
      await serve([ordered('http-01')], next.server);
      assert.deepEqual(await look(), ['200', ANSWER], 'the agent remembers while it runs');
      await serve([ordered('tls-alpn-01')], next.server);
      await show({ type: 'tls-alpn-01' }, next);
      const last = scene.another(); // the socket of the one before lies around
      await serve([ordered('tls-alpn-01')], last.server);
      await show({ type: 'tls-alpn-01' }, last);
      assert.deepEqual(await authorityFinds(), FOUND);
    });
  });
}

describe('a gateway that is asked to answer a challenge', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  before(async () => {
    scene = await gatewayScene({ reload_every_ms: 0 });
  });
  after(() => scene[Symbol.asyncDispose]());

  const ingress = (number: number, draining = false) =>
    ingressOf(number, { hostname: WWW, draining, tls: { chain: null, redirect: true, challenge: 'http-01' } });
  const asked = (over: Partial<ShowChallengeProbe> = {}): ShowChallengeProbe => ({
    ingress: ingressId(1),
    hostname: WWW,
    type: 'http-01',
    token: TOKEN,
    key_authorization: ANSWER,
    for_s: 60,
    ...over,
  });
  const show = (over: Partial<ShowChallengeProbe> = {}) => scene.challenges.show(asked(over));

  it('waits for the ingress, as it may come with it, and says why it cannot', async () => {
    const waiting = show();
    await scene.server.serve({ section: [ingress(1)], ca: undefined });
    await waiting;
    const all = await Promise.allSettled([
      show({ hostname: OTHER }),
      show({ ingress: ingressId(2) }),
      show({ type: 'tls-alpn-01' }),
      show({ key_authorization: `another${ANSWER}` }),
      show({ token: 'a token with spaces', key_authorization: `a token with spaces.${'a'.repeat(43)}` }),
    ]);
    assert.deepEqual(
      all.map((one) => (one.status === 'rejected' ? one.reason.message : 'shown')),
      [
        `this gateway does not serve ${OTHER}`,
        `on this gateway, ${WWW} is that of another ingress`,
        `this gateway does not answer tls-alpn-01 for ${WWW}`,
        'the answer is for another token',
        'this is no answer to a challenge of an ingress',
      ],
    );
  });

  it('answers for the ingress that has the host name, also while the one before drains', async () => {
    await scene.server.serve({ section: [ingress(1, true)], ca: undefined });
    await show();
    await scene.server.serve({ section: [ingress(1, true), ingress(2)], ca: undefined });
    await show({ ingress: ingressId(2) });
    assert.equal((await scene.ask(WWW, { path: `${PATH}${TOKEN}` })).body, ANSWER);
  });

  it('does not say that it shows what its own nginx does not', async () => {
    await scene.server.serve({ section: [ingress(1)], ca: undefined });
    await scene.nginx.end();
    await assert.rejects(show(), /nginx does not answer on its private socket/);
    await scene.server.serve({ section: [ingress(1)], ca: undefined });
    await show();
  });

  it('has a thousand of them at most', async () => {
    await scene.server.serve({ section: [ingress(1)], ca: undefined });
    const numbered = (number: number) => {
      const token = `token-of-a-challenge-${number}`;
      return { token, key_authorization: `${token}.${'a'.repeat(43)}` };
    };
    const put = (number: number) =>
      scene.control.putChallenge({ ingress: ingressId(1), for_s: 60, ...numbered(number) });
    await assert.rejects(async () => {
      for (let number = 0; number < 1001; number += 1) await put(number);
    }, /status 507/);
    await put(1); // one that is there is put again
    await assert.rejects(show(numbered(2000)), /status 507/);
  });
});
