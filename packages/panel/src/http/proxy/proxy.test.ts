import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Problem, TokenWithSecret } from '@meshwork/contract';
import { ALL, type TestBrowser, TestPanel } from '../../../test/harness.ts';
import { TcpRelay } from '../../../test/tcp-relay.ts';

const AT = '/api/v1/coordinator';

describe('the coordinator’s API through the panel', () => {
  let relay: TcpRelay;
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    relay = await TcpRelay.open();
    panel = await TestPanel.start({ MESH_COORDINATOR_URL: relay.url });
    relay.target = panel.coordinator.url;
    owner = await panel.owner();
    await owner.must(200, 'GET', `${AT}/auth/whoami`);
  });
  after(async () => {
    await panel.close();
    await relay.close();
  });
  beforeEach(() => {
    relay.asked = '';
    relay.intercept = undefined;
  });

  const tokenRequest = () => ({ name: 'a token', role: 'viewer', scope: ALL, expires: panel.coordinator.inDays(1) });
  const role = (name: string) => ({ name, description: 'x', permissions: ['nodes:read'] });
  /** Never answered, for the relay keeps it. By address: a name may have a second one without a listener. */
  const askForOverview = ({ session }: TestBrowser, { signal }: AbortController) =>
    fetch(`http://127.0.0.1:${panel.port}${AT}/overview`, { headers: { cookie: `mesh_session=${session}` }, signal });

  it('forwards the request without the credentials of the browser', async () => {
    await owner.must(200, 'GET', `${AT}/nodes?limit=3&q=a%20b`, {
      headers: {
        accept: 'application/json',
        authorization: 'Bearer mesh_of-the-browser',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-host': 'evil.example',
        forwarded: 'for=192.0.2.1',
        te: 'trailers',
        'x-anything': 'else',
      },
    });
    // The panel may have asked something of its own meanwhile.
    const asked = relay.asked.split('\r\n\r\n').find((one) => one.startsWith('GET /v1/nodes?')) ?? '';
    const [line, ...headers] = asked.split('\r\n');
    assert.equal(line, 'GET /v1/nodes?limit=3&q=a%20b HTTP/1.1');
    const names = headers.map((header) => header.slice(0, header.indexOf(':')).toLowerCase()).sort();
    assert.deepEqual(names, ['accept', 'authorization', 'connection', 'host', 'user-agent']);
    assert.ok(!relay.asked.includes(owner.session ?? 'none') && !relay.asked.includes('of-the-browser'));
  });

  it('takes no body, an empty one and {} alike where nothing is needed in it', async () => {
    const json = { 'content-type': 'application/json' };
    for (const path of ['relays/unknown/drain', 'nodes/unknown/rekey', 'nodes/unknown/drain']) {
      const ways = [
        {},
        { raw: '' },
        { raw: '{}' },
        { headers: json },
        { raw: '', headers: json },
        { raw: '{}', headers: json },
      ];
      for (const way of ways) {
        const got = await owner.ask('POST', `${AT}/${path}`, way);
        assert.deepEqual([got.status, got.body.code], [404, 'not_found'], `${path} ${JSON.stringify(way)}`);
      }
    }
  });

  it('passes on versions, keys for repeats and the place of what was made', async () => {
    const made = await owner.ask(`POST`, `${AT}/auth/roles`, { body: role('first') });
    assert.deepEqual([made.status, made.headers.get('location')], [201, `${AT}/auth/roles/first`]);
    const etag = made.headers.get('etag') ?? '';
    const put = (if_match: string) =>
      owner.ask('PUT', `${AT}/auth/roles/first`, {
        body: { description: 'y', permissions: [] },
        headers: { 'if-match': if_match },
      });
    assert.equal((await put(etag)).status, 200);
    assert.deepEqual([(await put(etag)).body.code], ['revision_mismatch']);

    const ask = { body: tokenRequest(), headers: { 'idempotency-key': 'key-1' } };
    const [first, second] = [
      await owner.must<TokenWithSecret>(201, 'POST', `${AT}/auth/tokens`, ask),
      await owner.must<TokenWithSecret>(201, 'POST', `${AT}/auth/tokens`, ask),
    ];
    assert.equal(first.secret, second.secret);
  });

  it('answers with the coordinator’s own problems, under the id they have there', async () => {
    const got = await owner.ask('GET', `${AT}/nodes/node_none`);
    assert.deepEqual([got.status, got.body.code], [404, 'not_found']);
    assert.equal(got.headers.get('x-request-id'), got.body.request_id);
    assert.match(got.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(got.headers.get('cache-control'), 'no-store');
    assert.equal(got.headers.get('set-cookie'), null);
    const invalid = await owner.ask('GET', `${AT}/nodes?limit=0`);
    assert.equal(invalid.body.errors?.[0]?.pointer, 'query/limit');
  });

  it('passes on texts as they were written, and answers in other forms', async () => {
    const policy = '// everything\n{"groups": {"all": ["*"]}, "grants": []}';
    const headers = { 'content-type': 'application/jsonc' };
    assert.equal((await owner.ask('PUT', `${AT}/acls`, { raw: policy, headers })).status, 200);
    const read = await owner.ask('GET', `${AT}/acls`, { headers: { accept: 'application/jsonc' } });
    assert.equal(read.text, policy);
    const broken = await owner.ask('PUT', `${AT}/acls`, { raw: '{"groups": [}', headers });
    assert.deepEqual([broken.body.code, broken.body.errors?.[0]?.line], ['policy_invalid', 1]);
    const lines = await owner.ask('GET', `${AT}/audit`, { headers: { accept: 'application/x-ndjson' } });
    assert.equal(lines.headers.get('content-type'), 'application/x-ndjson');
    assert.ok(lines.text.trim().split('\n').length > 3);
  });

  it('refuses bodies that are too large for the operation, and those it has no use for', async () => {
    const large = await owner.ask('POST', `${AT}/auth/roles`, { raw: `"${'x'.repeat(65 * 1024)}"` });
    assert.deepEqual([large.status, large.body.code], [413, 'body_too_large']);
    assert.equal((await owner.ask('PUT', `${AT}/acls`, { raw: `"${'x'.repeat(65 * 1024)}"` })).status, 422);
    assert.equal((await owner.ask('GET', `${AT}/nodes`, { raw: '{}' })).body.code, 'unexpected_body');
    assert.equal((await owner.ask('DELETE', `${AT}/nodes/x`, { raw: '{"a":1}' })).body.code, 'unexpected_body');
    assert.equal((await owner.ask('DELETE', `${AT}/nodes/x`, { raw: 'x'.repeat(100) })).body.code, 'unexpected_body');
  });

  it('needs a session, and for writes its token and our own pages', async () => {
    const ask = { body: role('second') };
    assert.equal((await panel.browser().ask('POST', `${AT}/auth/roles`, ask)).body.code, 'sign_in_required');
    const without = { ...ask, headers: { 'x-csrf-token': undefined } };
    assert.equal((await owner.ask('POST', `${AT}/auth/roles`, without)).body.code, 'csrf_failed');
    const foreign = { ...ask, headers: { origin: 'https://evil.example' } };
    assert.equal((await owner.ask('POST', `${AT}/auth/roles`, foreign)).body.code, 'origin_refused');
    const token = { headers: { authorization: `Bearer ${panel.coordinator.owner}` } };
    assert.equal((await panel.browser().ask('GET', `${AT}/nodes`, token)).body.code, 'sign_in_required');
    assert.ok(!/auth\/roles|nodes/.test(relay.asked), relay.asked);
  });

  it('answers HEAD without a body', async () => {
    const got = await owner.ask('HEAD', `${AT}/nodes`);
    assert.deepEqual([got.status, got.text], [200, '']);
    assert.match(got.headers.get('content-type') ?? '', /^application\/json/);
  });

  it('distinguishes requests without effect from those with an unknown outcome', async () => {
    const cut = (method: string) => (asked: string, socket: Socket) => {
      if (asked.startsWith(method)) socket.destroy();
      return asked.startsWith(method);
    };
    relay.intercept = cut('POST /v1/auth/roles');
    const lost = await owner.ask('POST', `${AT}/auth/roles`, { body: role('third') });
    assert.deepEqual([lost.status, lost.body.code, lost.body.retryable], [503, 'outcome_unknown', false]);
    relay.intercept = cut('GET /v1/nodes');
    assert.equal((await owner.ask('GET', `${AT}/nodes`)).body.code, 'coordinator_unavailable');
    relay.intercept = undefined;
    await owner.must(200, 'GET', `${AT}/nodes`);
  });

  it('repeats a read when a kept connection breaks', async () => {
    await owner.must(200, 'GET', `${AT}/nodes`);
    let lost = 0;
    relay.intercept = (asked, socket) => {
      if (lost > 0 || !asked.startsWith('GET /v1/nodes')) return false;
      lost += 1;
      socket.destroy();
      return true;
    };
    await owner.must(200, 'GET', `${AT}/nodes`);
    assert.equal(lost, 1);
  });

  it('cancels at the coordinator what the browser cancels', async () => {
    const held = new Promise<Socket>((resolve) => {
      relay.intercept = (asked, socket) => {
        const isIt = asked.startsWith('GET /v1/overview');
        if (isIt) resolve(socket); // and never answered
        return isIt;
      };
    });
    const gone = new AbortController();
    const waiting = askForOverview(owner, gone);
    const closed = held.then((socket) => once(socket, 'close'));
    await Promise.all([held.then(() => gone.abort()), assert.rejects(waiting, { name: 'AbortError' }), closed]);
  });

  it('lets one session wait for only so many answers at a time', async () => {
    relay.intercept = (asked) => asked.startsWith('GET /v1/overview'); // never answered
    const gone = new AbortController();
    const ask = () => askForOverview(owner, gone);
    const waiting = Array.from({ length: 32 }, () => assert.rejects(ask(), { name: 'AbortError' }));
    await panel.until(async () => relay.asked.split('GET /v1/overview').length === 33);
    assert.equal((await ask()).status, 429);
    gone.abort();
    await Promise.all(waiting);
    relay.intercept = undefined;
    await panel.until(async () => (await owner.ask('GET', `${AT}/overview`)).status === 200);
  });

  it('lets one person wait for only so many answers at a time, in however many sessions', async () => {
    relay.intercept = (asked) => asked.startsWith('GET /v1/overview'); // never answered
    const gone = new AbortController();
    const asked = relay.asked.split('GET /v1/overview').length;
    const waiting: Promise<void>[] = [];
    const ask = (browser: TestBrowser) => askForOverview(browser, gone);
    for (let count = 0; count < 4; count++) {
      const browser = await panel.signIn('grace');
      for (let one = 0; one < 24; one++) waiting.push(assert.rejects(ask(browser), { name: 'AbortError' }));
    }
    await panel.until(async () => relay.asked.split('GET /v1/overview').length === asked + 96);
    assert.equal((await ask(await panel.signIn('grace'))).status, 429);
    gone.abort();
    await Promise.all(waiting);
    relay.intercept = undefined;
    await panel.until(async () => (await owner.ask('GET', `${AT}/overview`)).status === 200);
  });

  it('does not forward responses that do not come from a coordinator', async () => {
    const answers: Record<string, (path: string) => [number, Record<string, string>, string]> = {
      page: () => [502, { 'content-type': 'text/html' }, '<script>alert(1)</script>'],
      redirect: (path) => [302, { location: `https://evil.example${path}`, 'content-type': 'application/json' }, '{}'],
      script: () => [200, { 'content-type': 'text/javascript' }, 'alert(1)'],
    };
    let answer = answers.page;
    const other = createServer((request, response) => {
      const [status, headers, text] = answer?.(request.url ?? '') ?? [500, {}, ''];
      response.writeHead(status, { ...headers, 'set-cookie': 'mesh_session=stolen' }).end(text);
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { target } = relay;
    relay.target = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    relay.dropAll();
    try {
      for (const name of Object.keys(answers)) {
        answer = answers[name];
        const got = await owner.ask<Problem>('GET', `${AT}/nodes`);
        assert.deepEqual([got.status, got.body.code], [503, 'coordinator_unavailable'], name);
        assert.equal(got.headers.get('location'), null);
        assert.equal(got.headers.get('set-cookie'), null);
      }
    } finally {
      relay.target = target;
      relay.dropAll();
      other.closeAllConnections();
      other.close();
    }
    await owner.must(200, 'GET', `${AT}/nodes`);
  });
});
