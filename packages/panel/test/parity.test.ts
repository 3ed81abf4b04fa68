/** Whatever a token can do at the coordinator a person can do through the panel, with the same permission, and nothing else. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  ERRORS,
  type ErrorCode,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  type OperationId,
  type Permission,
  type SignedIn,
} from '@meshwork/contract';
import { PROXIED } from '../src/coordinator/proxied-operations.ts';
import { type TestBrowser, TestPanel } from './harness.ts';
import { rawRequest } from './raw-request.ts';

const AT = '/api/v1/coordinator';
/** The coordinator folds refusals of one person beyond a limit into one entry, so each person tries only so many operations. */
const REFUSALS_EACH = 20;
/** What people cannot ask for, by name, so that an operation that comes to the table is seen to be on one side or the other. */
const NOT_FOR_PEOPLE: ReadonlySet<OperationId> = new Set([
  'delegations.create',
  'delegations.retire',
  'delegations.pass',
  'delegations.announce',
  'delegations.end',
  'agents.session',
  'agents.heartbeat',
  'meta.docs',
  'meta.health',
  'meta.ready',
  'meta.metrics',
]);

describe('people and tokens can do the same', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  /** They have the one permission that is tried, and no other; the role changes from test to test. */
  const people: { readonly browser: TestBrowser; readonly id: string }[] = [];
  before(async () => {
    panel = await TestPanel.startWithAuthorities();
    owner = await panel.owner();
    const settings = { api: { rate_per_s: 100_000, burst: 100_000 } };
    await owner.must(200, 'PATCH', `${AT}/settings`, { body: settings });
    await owner.must(201, 'POST', `${AT}/auth/roles`, { body: { name: 'tried', permissions: [] } });
    for (let count = 0; count < PROXIED.length; count += REFUSALS_EACH) {
      const browser = await panel.person(owner, { name: `person-${people.length}`, role: 'tried' });
      people.push({ browser, id: ((await browser.state()) as SignedIn).user.id });
    }
  });
  after(() => panel.close());

  const may = (...permissions: Permission[]) =>
    owner.must(200, 'PUT', `${AT}/auth/roles/tried`, { body: { permissions } });
  const fill = (path: string) => path.replaceAll(/\{\w+\}/g, 'nothing');
  const send = (
    { browser }: { readonly browser: TestBrowser },
    { method, body, text, answer }: Operation,
    path: string,
  ) =>
    browser.ask(method === 'GET' && answer.type === 'text/event-stream' ? 'HEAD' : method, path, {
      ...(body === undefined ? {} : text === undefined ? { body: {} } : { raw: '{}' }),
    });

  it('has every operation of the coordinator on one side or the other', () => {
    const passed = new Set(PROXIED.map(({ id: one }) => one));
    assert.deepEqual(
      OPERATION_IDS.filter((one) => !passed.has(one)),
      OPERATION_IDS.filter((one) => NOT_FOR_PEOPLE.has(one)),
    );
  });

  for (const [index, { id: name, operation, path }] of PROXIED.entries()) {
    const { permission } = operation;
    const caller = () => people[Math.floor(index / REFUSALS_EACH)] ?? assert.fail('there are too few people');
    it(`${operation.method} ${path} accepts a person ${permission === null ? 'with a session' : `with ${permission}`}`, async () => {
      await may(...(permission === null ? [] : [permission]));
      const got = await send(caller(), operation, fill(path));
      // Nothing of that name is there, the body says too little, it takes a token that acts for no person, or what was rotated just
      // before is in use already, there being no nodes to wait for: either way it was let in, and by the coordinator.
      const refused = ['not_found', 'invalid', 'policy_invalid', 'token_delegated', 'rotation_switched'] as const;
      const letIn: readonly (ErrorCode | undefined)[] = [undefined, ...refused];
      assert.ok(letIn.includes(got.body?.code as ErrorCode | undefined), `${got.status} ${got.text}`);
    });

    if (permission === null || permission === 'self:read') continue; // everybody has these
    it(`${operation.method} ${path} refuses a person without ${permission}, and the trail records it`, async () => {
      await may();
      const got = await send(caller(), operation, fill(path));
      assert.equal(got.status, ERRORS.permission_denied.status);
      if (operation.answer.type === undefined) assert.equal(got.body.code, 'permission_denied');
      const refusals = () =>
        panel.coordinator.ask<{ items: { code: string; address: string }[] }>(
          'GET',
          `/v1/audit?actor=${caller().id}&action=${name}&outcome=refused&limit=1`,
        );
      await panel.until(async () => (await refusals()).body.items.length === 1);
      const [entry] = (await refusals()).body.items;
      assert.deepEqual([entry?.code, entry?.address], ['permission_denied', '127.0.0.1']);
    });
  }

  it('passes on nothing that is not for people', async () => {
    for (const one of NOT_FOR_PEOPLE) {
      const { method, path } = OPERATIONS[one];
      const got = await owner.ask(
        method,
        `${AT}${fill(path).replace('/v1', '')}`,
        method === 'GET' ? {} : { body: {} },
      );
      assert.equal(got.body.code, 'route_not_found', one);
    }
  });

  it('passes on no other method', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const got = await owner.ask(method, `${AT}/auth/whoami`);
      assert.ok([404, 405].includes(got.status), `${method}: ${got.status} ${got.text}`);
    }
  });

  it('leads nowhere else, however the path is written', async () => {
    const tricks = [
      '/api/v1/coordinator/../coordinator/auth/delegations',
      '/api/v1/coordinator/..',
      '/api/v1/coordinator/../../../v1/auth/whoami',
      '/api/v1/coordinator/nodes/..',
      '/api/v1/coordinator/nodes/.',
      '/api/v1/coordinator/nodes/%2e%2e',
      '/api/v1/coordinator/nodes/%2e%2e/auth/whoami',
      '/api/v1/coordinator/nodes/%2E./posture',
      '/api/v1/coordinator//auth/whoami',
      '//api/v1/coordinator/auth/whoami',
      '/api/v1/coordinator/auth%2fwhoami',
      '/api/v1/coordinator%2fauth/whoami',
      '/api/v1/coordinator/auth\\whoami',
      '/api/v1/coordinator/%2e%2e/%2e%2e/healthz',
      '/api/v1/coordinator/',
      '/api/v1/coordinator',
      '/API/V1/coordinator/auth/whoami',
      '/api/v1/coordinator/AUTH/whoami',
      '/api/v1/coordinator/auth/whoami/',
      '/api/v1/coordinator/auth/whoami;x=y',
      '/v1/auth/whoami',
      `${panel.url}/api/v1/coordinator/auth/whoami`,
      'http://evil.example/api/v1/coordinator/auth/whoami',
    ];
    for (const trick of tricks) {
      const got = await raw('GET', trick);
      assert.equal(got.status, 404, `${trick}: ${got.text}`);
      assert.match(got.text, /"code":"route_not_found"/, trick);
    }
    // Slashes that are encoded belong to a name, which nothing has.
    const name = await raw('GET', '/api/v1/coordinator/nodes/x%2f..%2fauth%2fwhoami');
    assert.match(name.text, /"code":"not_found"/);
    const odd = await raw('GET', '/api/v1/coordinator/nodes/%ff');
    assert.ok([400, 404].includes(odd.status), odd.text);
    assert.match((await raw('GET', '/api/v1/coordinator/auth/whoami')).text, /"kind":"person"/);
  });

  it('is not fooled by a second request inside of the first', async () => {
    const smuggled = 'GET /v1/auth/delegations HTTP/1.1\r\nHost: x\r\n\r\n';
    const got = await rawRequest(
      panel.url,
      [...linesOf('GET', '/api/v1/coordinator/auth/whoami'), `Content-Length: ${smuggled.length}`],
      smuggled,
    );
    assert.match(got.text, /"code":"unexpected_body"/);
    const both = await rawRequest(
      panel.url,
      [...linesOf('GET', '/api/v1/coordinator/auth/whoami'), 'Content-Length: 5', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${smuggled}`,
    );
    assert.equal(both.status, 400);
  });

  it('lets no person widen their own rights', async () => {
    await may('tokens:create');
    const scope = { team: '*', surface: '*', environment: '*' };
    const body = { name: 'x', role: 'owner', scope, expires: panel.coordinator.inDays(1) };
    const got = await people[0]?.browser.ask('POST', `${AT}/auth/tokens`, { body });
    assert.equal(got?.body.code, 'exceeds_own_rights');
  });

  const linesOf = (method: string, target: string) => [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(panel.url).host}`,
    `Cookie: mesh_session=${owner.session}`,
    'Accept: application/json',
  ];
  const raw = (method: string, target: string) => rawRequest(panel.url, linesOf(method, target));
});
