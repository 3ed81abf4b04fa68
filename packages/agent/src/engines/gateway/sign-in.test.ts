/** People who have to sign in at the panel, with a real nginx. The panel is this test: it makes passes as the coordinator does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { type Asked, askByHand, given, location } from '../../../test/ask-by-hand.ts';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf, trafficOf } from '../../../test/ingress-section.ts';
import { cookieOf, hashOf, type MadePass, passMaker } from '../../../test/passes.ts';
import { identitiesText, NO_IDENTITIES } from './identities.ts';
import { signInFacts } from './sign-in-facts.ts';

const WWW = 'www-1.example.com';
const OTHER = 'www-2.example.com';
const PANEL = 'https://panel.example.com:7480';
const GATEWAY = '127.0.64.1';
const WEB_7 = '127.0.64.7';
const PAGE = { accept: 'text/html,application/xhtml+xml' };

const ADA = 'user_01jcqv5s3ee3xv9k7d0w8m2b4n';
const SESSION = '__Host-mesh-session';
const BEGUN = '__Host-mesh-begun';

const self = { address: `${GATEWAY}/32`, address6: 'fd00::1/128' };
const peers = [{ name: 'web-7', address: `${WEB_7}/32`, address6: 'fd00::7/128' }];

type SignIn = NonNullable<IngressAssignment['sign_in']>;

describe('people who have to sign in', { timeout: 180_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let chain: string;
  let other_chain: string;
  const maker = passMaker();
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    chain = (await scene.certificate(WWW)).chain;
    other_chain = (await scene.certificate(OTHER)).chain;
  });
  after(() => scene[Symbol.asyncDispose]());
  beforeEach(() => serve());

  const rule = (over: Partial<SignIn> = {}): SignIn => ({
    ...{ groups: [], people: [], nodes: true, open: [], session_s: 3600 },
    ...{ panel: PANEL, keys: [maker.public_key], not_before_ms: 0, ended: [] },
    ...over,
  });
  const asking = (over: Partial<SignIn> = {}, more: Partial<IngressAssignment> = {}) =>
    ingressOf(1, {
      routes: [routeOf({ targets: [web.target(1)] })],
      tls: { chain, redirect: true },
      sign_in: rule(over),
      ...more,
    });
  async function know(...section: readonly IngressAssignment[]) {
    await scene.server.identify(identitiesText({ self, peers, spiffe_prefix: null, sign_in: signInFacts(section) }));
  }
  async function serve(over: Partial<SignIn> = {}, more: Partial<IngressAssignment> = {}) {
    const section = [
      asking(over, more),
      ingressOf(2, {
        ...asking(over),
        id: ingressOf(2).id,
        hostname: OTHER,
        tls: { chain: other_chain, redirect: true },
      }),
    ];
    await know(...section);
    await scene.server.serve({ section, ca: undefined, lists: undefined });
  }

  const ask = (asked: Asked = {}) => askByHand(scene.https_port, { host: WWW, ...asked });
  /** Opens a page, and comes back from the panel with a pass. */
  async function signIn(over: Partial<MadePass> = {}, host = WWW) {
    const begun = given((await ask({ headers: PAGE, host })).cookies, BEGUN);
    const pass = maker.make({ state: hashOf(begun), hostname: host, ...over });
    const back = await ask({
      path: `/.meshwork/sign-in?pass=${pass}&to=${encodeURIComponent('/x?y=1')}`,
      headers: { cookie: `${BEGUN}=${begun}` },
      host,
    });
    return { begun, pass, back, session: given(back.cookies, SESSION), cookie: cookieOf(back.cookies) };
  }
  const last = () => web.requests.at(-1)?.headers ?? assert.fail('it got no request');

  it('are sent to the panel with a page that they open, and come back to it', async () => {
    const first = await ask({ path: '/x?y=1', headers: PAGE });
    assert.equal(first.status, 302);
    const there = new URL(location(first));
    assert.equal(there.origin, PANEL);
    assert.equal(there.pathname, '/come-in');
    const begun = given(first.cookies, BEGUN);
    assert.deepEqual(Object.fromEntries(there.searchParams), { host: WWW, state: hashOf(begun), to: '/x?y=1' });
    assert.match(first.cookies[0] ?? '', /; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/);
    assert.deepEqual(first.header('cache-control'), ['no-store']);
    const { back, cookie } = await signIn({ groups: ['staff', 'ops/db'] });
    assert.deepEqual([back.status, location(back)], [302, '/x?y=1']);
    assert.deepEqual(back.header('cache-control'), ['no-store']);
    const sent = {
      cookie: `a=1; ${cookie}; b=2`,
      'x-mesh-user': 'root',
      'X-Mesh-Groups': 'admins',
      x_mesh_user: 'root',
    };
    const page = await ask({ path: '/x', headers: sent });
    assert.deepEqual([page.status, page.body.includes('web')], [200, true]);
    const { 'x-mesh-user': user, 'x-mesh-user-id': id, 'x-mesh-groups': groups, cookie: passed } = last();
    assert.deepEqual([user, id, groups, passed], ['ada', ADA, 'staff,ops/db', 'a=1; b=2']);
    await ask({ headers: { cookie } });
    assert.equal(last().cookie, undefined);
  });

  it('get 401 for what is no page, and the service gets none of it', async () => {
    const count = web.requests.length;
    const body = 'GET /inside HTTP/1.1\r\nHost: x\r\n\r\n';
    for (const one of [
      {},
      { method: 'POST', headers: PAGE, body },
      { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } },
      { headers: { ...PAGE, upgrade: 'websocket', connection: 'upgrade' } },
      { headers: { ...PAGE, 'sec-fetch-mode': 'cors' } },
      { headers: { accept: 'application/json' } },
    ] as const) {
      const got = await ask(one);
      assert.deepEqual([got.status, got.cookies], [401, []], JSON.stringify(one));
      assert.deepEqual(got.header('cache-control'), ['no-store']);
      assert.deepEqual(got.header('www-authenticate'), ['Cookie']);
      assert.equal(got.body.match(/HTTP\/1\.1/g), null, 'a body is no second request');
    }
    assert.equal(web.requests.length, count);
  });

  it('cannot be signed in by a link that was made for another browser, nor led elsewhere', async () => {
    const { pass, begun } = await signIn();
    const path = `/.meshwork/sign-in?pass=${pass}&to=/`;
    for (const cookie of ['', `${BEGUN}=${'A'.repeat(43)}`, `${BEGUN}=${begun}; ${BEGUN}=${begun}`, `${BEGUN}=short`]) {
      const got = await ask({ path, headers: cookie === '' ? {} : { cookie } });
      assert.deepEqual([got.status, got.cookies], [400, []], cookie);
    }
    for (const [to, ends] of [
      ['//evil.example/', '/evil.example/'],
      ['/\\evil.example', '/evil.example'],
      ['https://evil.example/', '/'],
      ['/a\r\nSet-Cookie: x=1', '/'],
      ['/.meshwork/sign-in?pass=x', '/'],
      [`/${'a'.repeat(2000)}`, '/'],
      ['', '/'],
    ] as const) {
      const headers = { cookie: `${BEGUN}=${begun}` };
      const got = await ask({ path: `/.meshwork/sign-in?pass=${pass}&to=${encodeURIComponent(to)}`, headers });
      assert.deepEqual([got.status, location(got)], [302, ends], to);
      assert.deepEqual(
        got.header('set-cookie').filter((one) => one.startsWith('x=')),
        [],
      );
    }
  });

  it('are let in only by a pass of the coordinator, for this host, that is new', async () => {
    const now = Date.now();
    const stranger = passMaker();
    const begun = given((await ask({ headers: PAGE })).cookies, BEGUN);
    const state = hashOf(begun);
    const good = maker.make({ state });
    const [payload = '', signature = ''] = good.split('.');
    const changed = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"ada"', '"eve"')).toString(
      'base64url',
    );
    for (const [what, pass] of Object.entries({
      'of another key': stranger.make({ state }),
      'with other claims': `${changed}.${signature}`,
      'without a signature': `${payload}.`,
      'with a short one': `${payload}.AAAA`,
      'of another host': maker.make({ state, hostname: OTHER }),
      'of another ingress': maker.make({ state, ingress: ingressOf(2).id }),
      'that is too old': maker.make({ state, made_ms: now - 125_000 }),
      'from the future': maker.make({ state, made_ms: now + 120_000 }),
      'that is no text': `${good}&pass=${good}`,
      'that is none': '',
    })) {
      const got = await ask({ path: `/.meshwork/sign-in?pass=${pass}`, headers: { cookie: `${BEGUN}=${begun}` } });
      assert.deepEqual([got.status, got.cookies], [400, []], what);
    }
    const got = await ask({ path: `/.meshwork/sign-in?pass=${good}`, headers: { cookie: `${BEGUN}=${begun}` } });
    assert.equal(got.status, 302);
    // What was in the address is no session without the secret of the browser, nor with another, nor at another host.
    const { session, pass } = await signIn();
    for (const cookie of [
      pass,
      `${pass}.${'A'.repeat(43)}`,
      `${session}x`,
      session.replace('.', '..'),
      'x'.repeat(5000),
    ]) {
      assert.equal((await ask({ headers: { cookie: `${SESSION}=${cookie}` } })).status, 401, cookie.slice(0, 40));
    }
    const twice = `${SESSION}=${session}; ${SESSION}=${session}`;
    assert.equal((await ask({ headers: { cookie: twice } })).status, 401);
    assert.equal((await ask({ headers: { cookie: `${SESSION}=${session}` }, host: OTHER })).status, 401);
    assert.equal((await ask({ headers: { cookie: `${SESSION}=${session}` } })).status, 200);
  });

  it('enter as their groups and names allow, and lose it without a reload', async () => {
    await serve({ groups: ['ops/db'], people: ['grace'] });
    const { generation } = scene.server;
    assert.equal((await signIn({ groups: ['staff', 'ops'] })).back.status, 400);
    const grace = await signIn({ user: 'grace' });
    const member = await signIn({ groups: ['staff', 'ops/db'] });
    for (const { cookie } of [grace, member]) assert.equal((await ask({ headers: { cookie } })).status, 200);
    await know(asking({ groups: ['staff'] }));
    assert.deepEqual(
      [
        (await ask({ headers: { cookie: grace.cookie } })).status,
        (await ask({ headers: { cookie: member.cookie } })).status,
      ],
      [401, 200],
    );
    assert.equal(scene.server.generation, generation);
  });

  it('are out once their passes end, the key goes, or their time is over', async () => {
    const { cookie } = await signIn();
    const status = async () => (await ask({ headers: { cookie } })).status;
    assert.equal(await status(), 200);
    for (const over of [
      { ended: [{ person: ADA, at_ms: Date.now() + 5000 }] },
      { not_before_ms: Date.now() + 5000 },
      { keys: [passMaker().public_key] },
    ]) {
      await know(asking(over));
      assert.equal(await status(), 401, JSON.stringify(over));
      await know(asking());
      assert.equal(await status(), 200);
    }
    await know(asking({ keys: [passMaker().public_key, maker.public_key] }));
    assert.equal(await status(), 200, 'while keys are turned over, both count');
    const old = await signIn({ made_ms: Date.now() - 50_000 });
    assert.equal((await ask({ headers: { cookie: old.cookie } })).status, 200);
    await know(asking({ session_s: 40 }));
    assert.equal((await ask({ headers: { cookie: old.cookie } })).status, 401);
  });

  it('find all closed where nginx does not know who may enter', async () => {
    const { cookie } = await signIn();
    await scene.server.identify(NO_IDENTITIES);
    for (const headers of [PAGE, { cookie }, {}]) assert.equal((await ask({ headers })).status, 503);
    assert.equal((await ask({ headers: {}, from: WEB_7, to: GATEWAY })).status, 503, 'also for nodes');
    await know(asking({ panel: null }));
    assert.deepEqual([(await ask({ headers: PAGE })).status, (await ask({ headers: { cookie } })).status], [503, 200]);
    await know(asking({ keys: [] }));
    assert.equal((await ask({ headers: { cookie } })).status, 503);
    await know(asking({ groups: ['a b'] as string[] }));
    assert.equal((await ask({ headers: { cookie } })).status, 503, 'a name that is none');
  });

  it('need not be people: nodes of the mesh pass, unless they have to sign in too', async () => {
    const inside = { from: WEB_7, to: GATEWAY };
    assert.equal((await ask(inside)).status, 200);
    assert.deepEqual([last()['x-mesh-user'], last()['x-mesh-node']], [undefined, undefined]);
    assert.equal((await ask({ from: '127.0.64.9', to: GATEWAY })).status, 401, 'no peer');
    assert.equal((await ask({ from: WEB_7 })).status, 401, 'to an address outside of the mesh');
    await know(asking({ nodes: false }));
    assert.equal((await ask(inside)).status, 401);
    const { cookie } = await signIn();
    assert.equal((await ask({ ...inside, headers: { cookie } })).status, 200);
    assert.equal(last()['x-mesh-user'], 'ada');
  });

  it('reach open paths without it, and nothing beside them', async () => {
    await know(asking({ open: ['/hooks', '/health'] }));
    for (const path of ['/hooks', '/hooks/a', '/hooks?x=%2e', '/health']) {
      assert.equal((await ask({ path })).status, 200, path);
    }
    const around = [
      '/hooksx',
      '/hooks/../x',
      '/hooks/..;/x',
      '/hooks/%2e%2e/x',
      '/hooks//x',
      '/hooks/./x',
      '/x?/hooks',
      '/hooks/..%2fx',
    ];
    for (const path of around) assert.equal((await ask({ path })).status, 401, path);
    assert.equal((await ask({ path: '/hooks\\..\\x' })).status, 401);
  });

  it('sign out at the service, for good, and no other site does it for them', async () => {
    const { cookie } = await signIn();
    const from = (site: string) => ask({ path: '/.meshwork/sign-out', headers: { cookie, 'sec-fetch-site': site } });
    for (const site of ['cross-site', 'same-site']) assert.equal((await from(site)).status, 403);
    assert.equal((await ask({ headers: { cookie } })).status, 200);
    const out = await from('same-origin');
    assert.equal(out.status, 200);
    assert.match(out.body, new RegExp(`signed out of ${WWW}. At ${PANEL}`));
    assert.deepEqual(
      out.cookies.map((one) => /Max-Age=0$/.test(one)),
      [true, true],
    );
    assert.equal((await ask({ headers: { cookie } })).status, 401, 'also with a copy of the cookie');
    assert.equal((await ask({ path: '/.meshwork/else', headers: { cookie } })).status, 404);
  });

  it('sign in once with several pages that they open at once', async () => {
    const begun = given((await ask({ path: '/a', headers: PAGE })).cookies, BEGUN);
    const again = await ask({ path: '/b', headers: { ...PAGE, cookie: `${BEGUN}=${begun}` } });
    assert.equal(given(again.cookies, BEGUN), begun);
    const path = (to: string) => `/.meshwork/sign-in?pass=${maker.make({ state: hashOf(begun) })}&to=${to}`;
    const first = await ask({ path: path('/a'), headers: { cookie: `${BEGUN}=${begun}` } });
    const second = await ask({ path: path('/b'), headers: { cookie: cookieOf(first.cookies) } });
    assert.deepEqual(
      [first, second].map((one) => [one.status, location(one)]),
      [
        [302, '/a'],
        [302, '/b'],
      ],
    );
  });

  it('are counted together by limits, whatever their address', async () => {
    const limits = { requests: { rate: '1/m', burst: 1 }, connections: null, by: 'identity' as const };
    await serve({}, { routes: [routeOf({ targets: [web.target(1)], traffic: trafficOf({ limits }) })] });
    const { cookie } = await signIn();
    const statuses: number[] = [];
    for (const from of ['127.0.0.1', '127.0.0.2', '127.0.0.3'])
      statuses.push((await ask({ headers: { cookie }, from })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    assert.equal(
      (await ask({ headers: { cookie: (await signIn({ person: 'user_01jcqv2m7xf1b8x0v4q6k3j9zt' })).cookie } })).status,
      200,
    );
  });

  it('sign in by HTTP/2 as well, where cookies come one by one', async () => {
    const { cookie } = await signIn();
    const session = connectHttp2(`https://127.0.0.1:${scene.https_port}`, {
      servername: WWW,
      rejectUnauthorized: false,
    });
    const get = async (cookies: readonly string[]) => {
      const sent = session.request({ ':authority': WWW, cookie: [...cookies] });
      const [headers] = await once(sent.resume(), 'response');
      await once(sent, 'close');
      return headers[':status'];
    };
    assert.deepEqual([await get(['a=1', cookie, 'b=2']), await get(['a=1'])], [200, 401]);
    assert.deepEqual(last().cookie, 'a=1; b=2');
    session.close();
  });

  it('get an answer when they send more than nginx takes', async () => {
    const cookie = `${SESSION}=${'x'.repeat(70_000)}`;
    assert.ok([400, 414].includes((await ask({ headers: { cookie } })).status));
    assert.equal((await ask({ path: `/?${'x'.repeat(12_000)}`, headers: PAGE })).status, 302);
  });

  it('stay signed in when nginx is started anew', async () => {
    const { cookie } = await signIn();
    await scene.nginx.end();
    await scene.server.serve({ section: [asking()], ca: undefined, lists: undefined });
    assert.equal((await ask({ headers: { cookie } })).status, 200);
  });
});
