/** Ingresses through their pages: what gateways find, a form for people, the same as JSON, draining and deleting. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOfLooks } from './looks.ts';
import { MARKUP } from './markup.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { anIngress, finds, GATEWAYS, INGRESS, TARGETS, WHY } from './scene-ingress.ts';
import { until } from './until.ts';

let scene: Scene;
let ada: Person;
let id: string;
before(async () => {
  scene = await Scene.open();
  id = await anIngress(scene);
  ada = await scene.person('operator');
  await ada.opens('/ingress');
  await ada.isLive();
});
after(() => scene[Symbol.asyncDispose]());

const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name });
const shown = async (ref: string) => (await scene.client.call('ingress.show', { params: { id: ref } })).body;
const region = (name: string) => ada.page.getByRole('region', { name, exact: true });

test('the list says where each leads, how it stands, and how many targets are up', async () => {
  await ada.goes('/ingress');
  await ada.reads('Serving', row('code.example.net'));
  await ada.reads('1 of 4 up', row('code.example.net'));
  await ada.reads('26', row('code.example.net'));
  await ada.reads('edge-1, gw-1', row('code.example.net'));
  const link = row('code.example.net').getByRole('link', { name: /^code\.example\.net/ });
  assert.deepEqual(
    [await link.getAttribute('href'), await link.getAttribute('target'), await link.getAttribute('rel')],
    ['http://code.example.net', '_blank', 'noopener noreferrer'],
  );
  await ada.page.getByRole('combobox', { name: 'Gateway' }).click();
  await ada.page.getByRole('option', { name: 'edge-1' }).click();
  await row('git.example.net').waitFor({ state: 'detached' });
  await ada.goes('/ingress?q=no-such-name');
  await ada.presses('Clear filters');
  await row('git.example.net').waitFor();
  assert.deepEqual(ada.faults, []);
});

test('the page says what each gateway finds, and which target is not reachable and why', async () => {
  await ada.goes('/ingress');
  await row('code.example.net').getByRole('link', { name: INGRESS, exact: true }).click();
  await ada.sees(INGRESS);
  for (const name of GATEWAYS) {
    const upstreams = ada.page.getByRole('table', { name: `Upstreams of ${name}` });
    await ada.reads('Up', upstreams.getByRole('row').filter({ hasText: TARGETS.up }));
    await ada.reads(WHY, upstreams.getByRole('row').filter({ hasText: TARGETS.down }));
  }
  const targets = ada.page.getByRole('table', { name: 'Targets' });
  const barred = targets.getByRole('row').filter({ hasText: TARGETS.barred }).filter({ hasText: 'git-http' });
  await ada.reads(/^Not reachable$/, barred);
  await ada.reads(/No grant lets/, barred);
  await ada.reads('GET /healthz every 5 s, expects 200-399', region('Routes'));
  await ada.reads('Least connections', region('Routes'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-below', region('Routes')), []);
  await barred.getByRole('link', { name: /^Explain/ }).click();
  await ada.sees('Reach');
  await ada.reads(/No grant lets (gw-1|edge-1) reach ci-1/);
  await ada.page.getByRole('link', { name: 'Open in the policy editor' }).first().waitFor();
  assert.deepEqual(ada.faults, []);
});

test('a node says which ingresses it serves', async () => {
  await ada.goes(`/nodes/${scene.node('edge-1').id}`);
  await ada.reads('9 connections', region('Ingresses'));
  await region('Ingresses').getByRole('link', { name: 'code.example.net' }).click();
  await ada.sees(INGRESS);
  assert.deepEqual(ada.faults, []);
});

test('what a gateway writes is shown as text', async () => {
  await ada.goes(`/ingress/${id}`);
  finds(scene, 'gw-1', MARKUP);
  await ada.page.getByText(MARKUP).first().waitFor();
  assert.equal(await ada.page.evaluate('window.hacked'), undefined);
  assert.equal(await ada.page.locator('img[src="x"]').count(), 0);
  finds(scene, 'gw-1');
  await ada.page.getByText(MARKUP).first().waitFor({ state: 'detached' });
  assert.deepEqual(ada.faults, []);
});

test('an ingress is created by its form, and the coordinator’s objections stand at their fields', async () => {
  await ada.goes('/ingress');
  await ada.page.getByRole('link', { name: 'Create ingress' }).click();
  await ada.sees('New ingress');
  assert.equal(await ada.page.getByRole('button', { name: 'Create ingress' }).isDisabled(), true);
  await ada.field('Name').fill('wiki');
  await ada.field('Host name').fill('code.example.net');
  await ada.field('Service', region('Service')).fill('git-h');
  await ada.page.getByRole('option', { name: /git-http/ }).click();
  await ada.field('Which nodes').fill('tag:role:gate');
  await ada.page.getByRole('option', { name: 'tag:role:gateway' }).click();
  await ada.presses('Add path');
  await ada.field('Path', region('Paths')).fill('/');
  await ada.field('Service', region('Paths')).fill('runner');
  await ada.presses('Create ingress');
  await ada.reads(/"\/" is what/, region('Paths'));
  await ada.field('Path', region('Paths')).fill('/runs');
  await ada.presses('Create ingress');
  await ada.reads(/is taken/, region('Address'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-refused'), []);
  await ada.field('Host name').fill('Wiki.example.net');
  await ada.presses('Advanced settings of the service');
  await ada.page.getByRole('combobox', { name: 'Balancing' }).click();
  await ada.page.getByRole('option', { name: 'By a header' }).click();
  await ada.field('Header').fill('X-Tenant');
  await ada.page.getByRole('combobox', { name: 'Health check' }).click();
  await ada.page.getByRole('option', { name: /^HTTP/ }).click();
  await ada.field('Check path').fill('/healthz');
  await ada.adds('node:git-1=5', 'Weights');
  await ada.field('Canary').fill('runner');
  await ada.page.keyboard.press('Tab');
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-advanced', region('Service')), []);
  await ada.presses('Create ingress');
  await ada.sees('wiki');
  const { hostname, upstream, routes, gateways } = await shown('wiki');
  assert.deepEqual([hostname, gateways], ['wiki.example.net', ['tag:role:gateway']]);
  assert.deepEqual(
    [upstream.balance, upstream.weights, upstream.canary, upstream.check.path],
    ['hash:header:X-Tenant', [{ nodes: 'node:git-1', weight: 5 }], { service: 'runner', percent: 5 }, '/healthz'],
  );
  assert.deepEqual(
    routes.map(({ path, service }) => [path, service]),
    [['/runs', 'runner']],
  );
  assert.deepEqual(ada.faults, []);
});

test('clients can be asked for certificates, and then not be served by plain HTTP', async () => {
  const { id: wiki } = await shown('wiki');
  const choose = async (words: string) => {
    await ada.page.getByRole('combobox', { name: 'Client certificates' }).click();
    await ada.page.getByRole('option', { name: words }).click();
  };
  const plain = ada.page.getByRole('switch', { name: 'Redirect plain HTTP to HTTPS' });
  await ada.goes(`/ingress/${wiki}/edit`);
  await choose('Optional');
  await plain.click();
  assert.equal(await plain.isChecked(), false);
  await choose('Required');
  assert.deepEqual([await plain.isChecked(), await plain.isDisabled()], [true, true]);
  await ada.adds('*.mesh', 'Names that may connect');
  await ada.presses('Save');
  await ada.reads(/no wildcards/, region('Address'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-clients', region('Address')), []);
  await ada.field('Names that may connect').press('Backspace');
  await ada.adds('spiffe://mesh/node/git-1', 'Names that may connect');
  await ada.presses('Save');
  await ada.sees('wiki');
  await ada.reads('Required, for spiffe://mesh/node/git-1', region('Details'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-asks-clients'), []);
  await ada.goes(`/ingress/${wiki}/edit`);
  await choose('Not asked for');
  await ada.presses('Save');
  await ada.sees('wiki');
  const { clients, client_names, redirect } = (await shown('wiki')).tls;
  assert.deepEqual([clients, client_names, redirect], ['none', [], true]);
  assert.deepEqual(ada.faults, []);
});

test('it is edited by its form or as JSON, and only what was changed is sent', async () => {
  await ada.goes(`/ingress/${(await shown('wiki')).id}`);
  await ada.page.getByRole('link', { name: 'Edit', exact: true }).click();
  await ada.sees('Edit wiki');
  assert.equal(await ada.page.getByRole('button', { name: 'Save' }).isDisabled(), true, 'nothing is changed yet');
  await ada.field('Replicas').fill('2');
  await ada.page.getByText('JSON', { exact: true }).click();
  const text = ada.field('The ingress as JSON');
  const written = JSON.parse(await text.inputValue());
  assert.deepEqual([written.replicas, 'scope' in written, 'state' in written], [2, false, false]);
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-json'), []);
  await text.fill('{ "replicas": 2, ');
  await ada.reads(/^Not valid JSON/);
  assert.equal(await ada.page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await text.fill(JSON.stringify({ ...written, routes: [], tls: { certificate: 'none', redirect: false } }));
  await ada.page.getByText('Form', { exact: true }).click();
  await ada.page.getByRole('combobox', { name: 'TLS' }).waitFor();
  await ada.presses('Save');
  await ada.sees('wiki');
  await ada.page.getByRole('link', { name: /^http:\/\/wiki\.example\.net/ }).waitFor();
  const { replicas, routes, tls } = await shown('wiki');
  assert.deepEqual([replicas, routes, tls.certificate], [2, [], 'none']);
  assert.deepEqual(ada.faults, []);
});

test('what another person changed meanwhile is not overwritten', async () => {
  const { id: wiki } = await shown('wiki');
  await ada.goes(`/ingress/${wiki}/edit`);
  await ada.field('Replicas').fill('3');
  await scene.client.call('ingress.update', { params: { id: wiki }, body: { hostname: 'other.example.net' } });
  await ada.presses('Save');
  await ada.page.getByRole('alert').first().waitFor();
  assert.deepEqual([(await shown('wiki')).replicas, (await shown('wiki')).hostname], [2, 'other.example.net']);
  await ada.presses('Discard my changes and load the current version');
  await until('the form has it', async () => (await ada.field('Host name').inputValue()) === 'other.example.net');
  assert.equal(await ada.field('Replicas').inputValue(), '2');
  assert.deepEqual(ada.faults, []);
});

test('a drain says what it does, and deleting asks for the name', async () => {
  await ada.goes(`/ingress/${(await shown('wiki')).id}`);
  await ada.presses('Drain');
  const sure = ada.dialog('Drain wiki');
  await ada.reads(/New visitors get an error until you undrain it/, sure);
  await ada.presses('Drain', sure);
  await ada.reads(/It takes no new connections/);
  await until('it drains', async () => (await shown('wiki')).draining);
  await ada.presses('Undrain');
  await ada.page.getByRole('button', { name: 'Drain', exact: true }).waitFor();
  await ada.presses('Delete');
  const last = ada.dialog('Delete wiki');
  await ada.reads(/its host name becomes free/, last);
  assert.equal(await last.getByRole('button', { name: 'Delete' }).isDisabled(), true);
  await last.getByLabel('Type wiki to confirm').fill('wiki');
  await ada.presses('Delete', last);
  await ada.sees('Ingress');
  await row('other.example.net').waitFor({ state: 'detached' });
  assert.deepEqual(ada.faults, []);
});

test('a viewer sees everything, and nothing to change it with', async () => {
  await using vera = await scene.person('viewer');
  await vera.opens(`/ingress/${id}`);
  await vera.sees(INGRESS);
  const main = vera.page.locator('main');
  assert.equal(await main.getByRole('button', { name: /^(?:Drain|Maintenance|Delete)$/ }).count(), 0);
  assert.equal(await main.getByRole('link', { name: /^(?:Edit|Create ingress)$/ }).count(), 0);
  for (const path of ['/ingress/new', `/ingress/${id}/edit`]) {
    await vera.goes(path);
    await vera.reads('Your role does not allow this');
    assert.equal(await vera.page.locator('form').count(), 0);
  }
  assert.deepEqual(vera.faults, []);
});

test('without ingresses the page says what they are for', async () => {
  await ada.goes('/ingress');
  for (const { id: each } of (await scene.client.call('ingress.list')).body.items) {
    await scene.client.call('ingress.delete', { params: { id: each } });
  }
  await ada.reads('No ingresses yet');
  await ada.page.locator('main').getByRole('link', { name: 'Create ingress' }).waitFor();
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-empty'), []);
  assert.deepEqual(ada.faults, []);
});
