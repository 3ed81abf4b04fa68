/** What pages say of the requests to ingresses: how much comes, how it goes, what is missing, and that it is not known any more. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Doorway } from './doorway.ts';
import { faultsOfLooks } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { anIngress, ingressesOfOtherKinds } from './scene-ingress.ts';
import { aTraffic } from './scene-traffic.ts';

let doorway: Doorway;
let scene: Scene;
let ada: Person;
let id: string;
before(async () => {
  doorway = await Doorway.open();
  scene = await Scene.open({ doorway, env: { MESH_COORDINATOR_URL: doorway.url } });
  id = await anIngress(scene);
  await ingressesOfOtherKinds(scene);
  ada = await scene.person('operator');
  await ada.opens('/ingress');
});
after(async () => {
  await scene?.[Symbol.asyncDispose]();
  await doorway?.[Symbol.asyncDispose]();
});

const region = () => ada.page.getByRole('region', { name: 'Traffic', exact: true });
const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name });

test('before a gateway has reported any, that is said, and nothing is drawn', async () => {
  await ada.goes(`/ingress/${id}`);
  await ada.reads('No requests are known of the last hour.', region());
  await ada.reads('It has not reported counts to this coordinator.', region());
  assert.equal(await region().getByRole('figure').count(), 0);
  await ada.goes('/ingress');
  await ada.reads('None known', row('code.example.net'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-traffic-none', row('code.example.net')), []);
});

test('the list and the page say how much comes, how it goes, and what is not in the figures', async () => {
  const total = await aTraffic(scene, id, 'gw-1');
  await ada.goes('/ingress');
  await ada.reads(/\d\/s, [34](\.\d)?% errors/, row('code.example.net'));
  await row('code.example.net')
    .getByRole('button', { name: /Some requests are missing.*edge-1/ })
    .waitFor();
  await row('code.example.net')
    .getByRole('img', { name: /in the last 5 minutes$/ })
    .waitFor();
  await ada.reads('Not counted', row('vault.example.net'));
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-traffic-list', row('code.example.net')), []);

  await ada.goes(`/ingress/${id}`);
  await ada.reads(`${total.toLocaleString('en')} requests`, region());
  await ada.reads(/[34](\.\d)?% with 5xx, 9(\.\d)?% with 4xx/, region());
  await ada.reads(/^503: \d+$/, region());
  await ada.reads(/Counted since .* What came before is not known here\./, region());
  const routes = ada.page.getByRole('table', { name: 'Traffic by route' });
  await routes.getByRole('row').filter({ hasText: '/runs' }).waitFor();
  await routes.getByRole('row').filter({ hasText: 'None, such as redirects' }).waitFor();
  await region().getByText('As a table').click();
  const sums = await ada.page.getByRole('table', { name: 'Requests per minute' }).locator('tbody td').allInnerTexts();
  assert.ok(Math.abs(sums.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0) - total) <= 30);
  await region().getByText('As a table').click();
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-traffic', region()), []);
  assert.deepEqual(ada.faults, []);
});

test('it can be turned off in the form, and pages say so', async () => {
  await ada.goes(`/ingress/${id}/edit`);
  await ada.page.getByRole('checkbox', { name: 'Count requests' }).uncheck();
  await ada.presses('Save');
  await ada.sees('code');
  await ada.reads('Requests are not counted.', region());
  assert.equal((await scene.client.call('ingress.show', { params: { id } })).body.counted, false);
  await ada.goes('/ingress');
  await ada.reads('Not counted', row('code.example.net'));
  await scene.client.call('ingress.update', { params: { id }, body: { counted: true } });
  assert.deepEqual(ada.faults, []);
});

test('figures that are not current any more stay, and say since when', async () => {
  await ada.goes(`/ingress/${id}`);
  await ada.reads(/ requests$/, region());
  doorway.shut();
  await ada.reads(/Not updated since .*: the coordinator does not answer\./, region());
  await ada.reads(/ requests$/, region());
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-traffic-stale', region()), []);
});
