/** What passes through an ingress, from its pages: kinds, rules on traffic, redirects and the maintenance page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOfLooks } from './looks.ts';
import { MARKUP } from './markup.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { anIngressWithRules, ingressesOfOtherKinds } from './scene-ingress.ts';
import { until } from './until.ts';

let scene: Scene;
let ada: Person;
let id: string;
before(async () => {
  scene = await Scene.open();
  await ingressesOfOtherKinds(scene);
  id = await anIngressWithRules(scene);
  ada = await scene.person('operator');
  await ada.opens('/ingress');
  await ada.isLive();
});
after(() => scene[Symbol.asyncDispose]());

const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name });
const shown = async (ref: string) => (await scene.client.call('ingress.show', { params: { id: ref } })).body;
const region = (name: string) => ada.page.getByRole('region', { name, exact: true });
const group = (name: string) => ada.page.getByRole('group', { name, exact: true });

async function unfolds(name: string): Promise<void> {
  await ada.presses(name);
  await group(name).waitFor();
}

test('the list says of which kind each is, where it redirects to, and why gateways are missing', async () => {
  await ada.goes('/ingress');
  await ada.reads('TLS passthrough', row('vault.example.net'));
  await ada.reads('git-ssh.example.net:2222', row('git-ssh.example.net'));
  assert.equal(await row('git-ssh.example.net').getByRole('link', { name: /2222/ }).count(), 0, 'no browser opens it');
  await ada.reads('Redirects to https://new.example.net', row('moved.example.net'));
  await ada.reads('Maintenance', row('shop.example.net'));
  await ada.reads(/tcp:2222 of gw-1 is taken by the ingress git-ssh/, row('other-ssh.example.net'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingresses-of-kinds'), []);
  assert.deepEqual(ada.faults, []);
});

test('the page has the rules that differ from the defaults, in words, and what a path overrides', async () => {
  await ada.goes(`/ingress/${id}`);
  for (const words of [
    '203.0.113.0/24, 2001:db8:7::/48',
    '20 per second per client address, 40 more in a burst',
    'Set Strict-Transport-Security to “max-age=63072000; includeSubDomains”, remove Server',
    '50 MB',
    '2 GiB',
  ]) {
    await ada.reads(words, region('Traffic rules'));
  }
  assert.equal(await region('Traffic rules').getByText('Connect timeout').count(), 0, 'it is the default');
  await ada.reads('https://help.example.net/shop', region('Redirects'));
  await ada.reads('CF-Connecting-IP from 198.51.100.0/24', region('Details'));
  await ada.reads(/We move house, and are back at ten/);
  await ada.reads(/Clients from 10\.0\.0\.0\/8 pass as usual/);
  assert.deepEqual(ada.faults, []);
});

test('an ingress of kind tcp has a port, and nothing that is about requests', async () => {
  await ada.goes('/ingress/new');
  await ada.field('Host name').fill('db.example.net');
  await ada.page.getByRole('radio', { name: 'TCP', exact: true }).click();
  assert.equal(await ada.page.getByRole('region', { name: 'Paths' }).count(), 0);
  assert.equal(await ada.page.getByRole('combobox', { name: 'TLS' }).count(), 0);
  assert.equal(await ada.field('Host name').inputValue(), 'db.example.net', 'what both kinds have stays');
  await ada.field('Name', region('Address')).fill('db');
  await ada.field('Service', region('Service')).fill('postgres');
  await ada.adds('tag:role:gateway', 'Which nodes');
  const create = ada.page.getByRole('button', { name: 'Create ingress' });
  assert.equal(await create.isDisabled(), true, 'it needs a port');
  await ada.field('Port').fill('443');
  await unfolds('Access');
  await ada.field('Connection limit').fill('8');
  await ada.presses('Create ingress');
  await ada.reads(/is where gateways listen for HTTP/, region('Address'));
  await ada.field('Port').fill('5432');
  await ada.presses('Create ingress');
  await ada.sees('db');
  await ada.reads('db.example.net:5432', region('Details'));
  const { kind, port, upstream, traffic } = await shown('db');
  assert.deepEqual([kind, port, upstream.protocol, traffic.limits.connections], ['tcp', 5432, 'tcp', 8]);
  await ada.page.getByRole('link', { name: 'Edit', exact: true }).click();
  await ada.sees('Edit db');
  await ada.reads('Of the kind TCP, which cannot be changed.');
  assert.equal(await ada.page.getByRole('radio', { name: 'HTTP', exact: true }).count(), 0);
  assert.deepEqual(ada.faults, []);
});

test('networks, headers, sizes and paths are changed by the form, and objections stand at their fields', async () => {
  await ada.goes(`/ingress/${id}/edit`);
  await unfolds('Access');
  await ada.adds('192.0.2.7/24', 'Allowed networks', group('Access'));
  await unfolds('Headers');
  await ada.presses('Add request header');
  await group('Headers').getByLabel('Header name').nth(1).fill('X-Forwarded-For');
  await ada.presses('Save');
  await ada.reads(/192\.0\.2\.0\/24 would be right/, group('Access'));
  await ada.reads(/made by gateways themselves/, group('Headers'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-rules-refused', group('Headers')), []);
  await ada.field('Allowed networks', group('Access')).press('Backspace');
  await group('Headers').getByLabel('Header name').nth(1).fill('Cookie');
  await group('Headers').getByRole('combobox', { name: 'What to do with Cookie' }).click();
  await ada.page.getByRole('option', { name: 'Remove', exact: true }).click();
  await unfolds('Requests');
  await ada.field('Largest request body', group('Requests')).fill('much');
  await ada.reads(/“much” is not a size/, group('Requests'));
  assert.equal(await ada.page.getByRole('button', { name: 'Save' }).isDisabled(), true);
  await ada.field('Largest request body', group('Requests')).fill('64 MiB');
  await unfolds('Traffic rules of /upload');
  await ada.page.getByRole('combobox', { name: 'Override a rule for /upload' }).click();
  await ada.page.getByRole('option', { name: 'Compression' }).click();
  await group('Traffic rules of /upload').getByRole('switch').click();
  await ada.presses('Do not override: Idle timeout');
  await ada.presses('Save');
  await ada.sees('shop-front');
  const { traffic, routes } = await shown(id);
  assert.deepEqual(traffic.request_headers, [
    { name: 'X-Tenant', value: 'shop' },
    { name: 'Cookie', value: null },
  ]);
  assert.deepEqual([traffic.max_body_bytes, traffic.networks.allow.length], [64 * 2 ** 20, 2]);
  const [upload] = routes;
  assert.deepEqual(upload?.traffic, { networks: { allow: [] }, max_body_bytes: 2 ** 31, compress: false });
  assert.deepEqual(ada.faults, []);
});

test('where a redirect of / sends everyone elsewhere, no service is needed', async () => {
  await ada.goes('/ingress/new');
  await ada.field('Name', region('Address')).fill('gone');
  await ada.field('Host name').fill('gone.example.net');
  await ada.page.getByRole('combobox', { name: 'TLS' }).click();
  await ada.page.getByRole('option', { name: /^Off/ }).click();
  await ada.adds('tag:role:gateway', 'Which nodes');
  await unfolds('Redirects');
  await ada.presses('Add redirect');
  assert.equal(await ada.field('From path').inputValue(), '/', 'there is no service yet');
  await ada.field(/^To/, group('Redirects')).fill('https://here.example.net');
  await ada.field('Service', region('Service')).fill('git-http');
  await ada.reads(/A redirect of \/ sends everyone elsewhere/, region('Service'));
  await ada.field('Service', region('Service')).fill('');
  await ada.presses('Create ingress');
  await ada.sees('gone');
  await ada.reads('https://here.example.net', region('Redirects'));
  assert.equal((await shown('gone')).service, null);
  assert.deepEqual(ada.faults, []);
});

test('maintenance is ended and started from the page, with a message that stays text', async () => {
  await ada.goes(`/ingress/${id}`);
  await ada.presses('End maintenance');
  await ada.page.getByRole('button', { name: 'Maintenance', exact: true }).waitFor();
  assert.equal((await shown(id)).maintenance, null);
  await ada.presses('Maintenance');
  const asked = ada.dialog('Maintenance of shop-front');
  await ada.field('Message', asked).fill('');
  assert.equal(await asked.getByRole('button', { name: 'Start maintenance' }).isDisabled(), true);
  await ada.field('Message', asked).fill(MARKUP);
  await ada.field('Retry after', asked).fill('120');
  await ada.adds('10.1.2.3/8', 'Allowed networks', asked);
  await ada.presses('Start maintenance', asked);
  await ada.reads(/10\.0\.0\.0\/8 would be right/, asked);
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-maintenance'), []);
  await ada.field('Allowed networks', asked).press('Backspace');
  await ada.presses('Start maintenance', asked);
  await asked.waitFor({ state: 'detached' });
  await ada.page.getByText(MARKUP).first().waitFor();
  assert.equal(await ada.page.evaluate('window.hacked'), undefined);
  await until('it is on', async () => (await shown(id)).maintenance !== null);
  assert.deepEqual((await shown(id)).maintenance, { message: MARKUP, retry_after_s: 120, allow: [] });
  assert.deepEqual(ada.faults, []);
});

test('the text has all of it, and what the form cannot show is kept as text', async () => {
  await ada.goes(`/ingress/${id}/edit`);
  await ada.page.getByText('JSON', { exact: true }).click();
  const text = ada.field('The ingress as JSON');
  const written = JSON.parse(await text.inputValue());
  assert.deepEqual(
    [written.redirects.length, written.proxies.header, written.maintenance.retry_after_s],
    [2, 'CF-Connecting-IP', 120],
  );
  await text.fill(JSON.stringify({ colour: 'red' }));
  await ada.page.getByText('Form', { exact: true }).click();
  await ada.reads('The form cannot show all that this text says.');
  await text.fill(JSON.stringify({ maintenance: null, traffic: { limits: { connections: null } } }));
  await ada.presses('Save');
  await ada.sees('shop-front');
  const { maintenance, traffic } = await shown(id);
  assert.deepEqual([maintenance, traffic.limits.connections, traffic.compress], [null, null, true]);
  assert.deepEqual(ada.faults, []);
});
