/**
 * A visitor of a service that asks people to sign in: from its page through the sign-in at the panel and back, with a real gateway, and
 * out again.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '@meshwork/agent/testing/gateway';
import type { Ingress, IngressAssignment, Invitation, Report, User } from '@meshwork/contract';
import { TestNode } from '@meshwork/coordinator/testing';
import { PASSWORD, type TestBrowser, TestPanel } from '@meshwork/panel/testing';
import { Chromium, type Look } from './chromium.ts';
import { faultsOfLooks } from './looks.ts';
import { Person } from './person.ts';
import { until } from './until.ts';

const HOST = 'wiki.example.net';
const SERVICE_PAGE = '<!doctype html><title>Wiki</title><h1>Wiki of the team</h1>';
const SCOPE = { team: '*', surface: '*', environment: '*' };

let panel: TestPanel;
let chromium: Chromium;
let gateway: GatewayScene;
let wiki: Service;
let node: TestNode;
let owner: TestBrowser;
/** What the agent of the gateway says of itself. */
let report: Report;
let ingress: string;
let chain: string;
before(async () => {
  // Both names are of this host: the service has one of its own, as it has in the world.
  chromium = await Chromium.start([`--host-resolver-rules=MAP ${HOST} 127.0.0.1`]);
  panel = await TestPanel.start(); // with a clock that no one moves: nginx has that of the host
  owner = await panel.owner();
  gateway = await gatewayScene();
  ({ chain } = await gateway.certificate(HOST));
  wiki = await gateway.service('wiki', (_, answer) => {
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    answer.end(SERVICE_PAGE);
  });
  const tags = ['role:gateway'];
  node = await TestNode.enroll(panel.coordinator, { name: 'gw-1', tags });
  const { http_port, https_port } = gateway;
  const features = ['client_certificates', 'mesh_identity', 'sign_in'];
  const abilities = { sections: ['self', 'peers', 'ingress'], engines: {}, features };
  const gateway_front = { http_port, https_port, proxy_protocol: false };
  report = { abilities, gateway_front };
  await node.beat({ complete: true, report });
  const created = await panel.coordinator.ask<Ingress>('POST', '/v1/ingress', {
    body: {
      ...{ name: 'wiki', hostname: HOST, service: 'wiki', scope: SCOPE, gateways: ['tag:role:gateway'] },
      sign_in: { groups: ['staff'], open: ['/health'] },
    },
  });
  ingress = created.body.id;
  for (const [name, groups] of [
    ['ada', ['staff']],
    ['eve', []],
  ] as const) {
    const body = { name, role: 'visitor', scope: SCOPE, groups };
    const { code } = await owner.must<Invitation>(201, 'POST', '/api/v1/users', { body });
    await panel.browser().must(201, 'POST', '/api/v1/invitation', { body: { code, password: PASSWORD } });
  }
  await serve();
});
after(async () => {
  await chromium?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
  await panel?.close();
});

/** The gateway serves what the coordinator sends its node, but that the service is on this host. */
async function serve(): Promise<void> {
  let sent: IngressAssignment | undefined;
  await until('the gateway is sent where the panel is', async () => {
    const { body } = await node.beat({ complete: true, revision: 0, report });
    sent = (body.ingress ?? []).find(({ hostname }) => hostname === HOST) as IngressAssignment | undefined;
    return sent?.sign_in?.panel !== undefined && sent.sign_in.panel !== null;
  });
  if (sent === undefined) throw new Error('the gateway was sent no ingress');
  const routes = sent.routes.map((route) => ({
    ...route,
    pools: route.pools.map((pool) => ({ ...pool, targets: [wiki.target(1)] })),
  }));
  const section = [{ ...sent, routes, tls: { chain, redirect: true } }];
  await gateway.learn(section);
  await gateway.server.serve({ section, ca: undefined, lists: undefined });
}

const urlOf = (path = '/') => `https://${HOST}:${gateway.https_port}${path}`;
async function visitor(look: Partial<Look> = {}): Promise<Person> {
  return await Person.at(panel.url, await chromium.person(look, { ignoreHTTPSErrors: true }));
}
async function signsIn(person: Person, name: string): Promise<void> {
  await person.field('Name').fill(name);
  await person.field('Password').fill(PASSWORD);
  await person.presses('Sign in');
}
const serviceOf = (person: Person) => person.page.getByRole('heading', { name: 'Wiki of the team' });

test('a visitor without a session signs in at the panel, and ends on the page that was asked for', async () => {
  await using ada = await visitor();
  await ada.page.goto(urlOf('/page?of=1'));
  await ada.sees('Sign in');
  await ada.page.getByText(`to continue to ${HOST}`).waitFor();
  assert.deepEqual(await faultsOfLooks(ada, 'come-in-sign-in'), []);
  await signsIn(ada, 'ada');
  await serviceOf(ada).waitFor();
  assert.equal(ada.page.url(), urlOf('/page?of=1'));
  const { headers, url } = wiki.requests.find((one) => one.url.startsWith('/page')) ?? assert.fail('it got no request');
  assert.deepEqual(
    [headers['x-mesh-user'], headers['x-mesh-groups'], headers.cookie, url],
    ['ada', 'staff', undefined, '/page?of=1'],
  );
  // The next page asks the panel for nothing.
  await ada.page.goto(urlOf('/other'));
  await serviceOf(ada).waitFor();
  assert.equal(ada.page.url(), urlOf('/other'));

  // Out at the service: the panel still knows the person, and lets them in again without a password.
  await ada.page.goto(urlOf('/.meshwork/sign-out'));
  await ada.page.getByText(`You are signed out of ${HOST}.`).waitFor();
  await ada.page.goto(urlOf('/again'));
  await serviceOf(ada).waitFor();
  assert.equal(ada.page.url(), urlOf('/again'));

  // Out of a group: the next heartbeat of the gateway ends the session, and the panel says why.
  const { items } = await owner.must<{ items: User[] }>(200, 'GET', '/api/v1/users?q=ada');
  await owner.must(200, 'PATCH', `/api/v1/users/${items[0]?.id}`, { body: { groups: [] } });
  await until('the session has ended', async () => {
    await serve();
    await ada.page.goto(urlOf('/'));
    return ada.page.url().startsWith(panel.url);
  });
  await ada.sees(`Cannot open ${HOST}`);
  await ada.page.getByText('Your account is in none of the groups that may enter').waitFor();
  assert.deepEqual(await faultsOfLooks(ada, 'come-in-refused'), []);
  await ada.presses('Use another account');
  await ada.sees('Sign in');
  assert.deepEqual(ada.faults, []);
});

test('a visitor who may not enter reads why, and reaches nothing but what is open', async () => {
  await using eve = await visitor();
  const count = wiki.requests.length;
  await eve.page.goto(urlOf('/secret'));
  await signsIn(eve, 'eve');
  await eve.sees(`Cannot open ${HOST}`);
  await eve.page.getByText('You are signed in as eve.').waitFor();
  assert.equal(wiki.requests.length, count);
  await eve.page.goto(urlOf('/health'));
  await serviceOf(eve).waitFor();
  assert.equal(wiki.requests.at(-1)?.headers['x-mesh-user'], undefined);
  assert.deepEqual(eve.faults, []);
});

test('a link that names no service leads nowhere', async () => {
  await using eve = await visitor();
  await eve.opens('/come-in');
  await eve.sees('This link is incomplete');
  await eve.opens('/come-in?host=evil.example&state=x&to=/');
  await signsIn(eve, 'eve');
  await eve.sees('Cannot open evil.example');
  assert.deepEqual(eve.faults, []);
});

test('operators read and change who may enter, and in which groups people are', async () => {
  await using grace = await visitor();
  const cookie = { name: 'mesh_session', value: owner.session ?? '', url: panel.url, httpOnly: true } as const;
  await grace.context.addCookies([{ ...cookie, sameSite: 'Strict' }]);
  await grace.opens(`/ingress/${ingress}`);
  await grace.page.getByText('Members of staff, for 8 h').waitFor();
  await grace.page.getByText('Nodes of the mesh, /health').waitFor();
  await grace.opens(`/ingress/${ingress}/edit`);
  const section = grace.page.getByRole('region', { name: 'Sign-in', exact: true });
  await section.getByRole('checkbox', { name: 'Require sign-in' }).waitFor();
  assert.deepEqual(await faultsOfLooks(grace, 'sign-in-fields', section.getByText('Session length')), []);
  await grace.adds('ops', 'Groups', section);
  await grace.presses('Save');
  await grace.page.getByText('Members of staff, ops, for 8 h').waitFor();
  const { items } = await owner.must<{ items: User[] }>(200, 'GET', '/api/v1/users?q=eve');
  await grace.opens(`/people/${items[0]?.id}`);
  await grace.field('Groups').waitFor();
  assert.deepEqual(await faultsOfLooks(grace, 'person-groups', grace.field('Groups')), []);
  await grace.opens('/people');
  await grace.reads('Groups', grace.page.getByRole('table', { name: 'People' }));
  assert.deepEqual(await faultsOfLooks(grace, 'people-groups'), []);
  assert.deepEqual(grace.faults, []);
});
