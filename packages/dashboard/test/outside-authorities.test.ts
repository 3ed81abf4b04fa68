/** A person names an outside authority, has an ingress ask it for a certificate, follows the order, and changes the authority. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOfLooks, photographBusy } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { anOutsideAuthority } from './scene-outside.ts';

const KEY = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
let scene: Scene;
let ada: Person;
before(async () => {
  scene = await Scene.open();
  ada = await scene.person('operator');
});
after(() => scene?.[Symbol.asyncDispose]());

const region = (name: string) => ada.page.getByRole('region', { name, exact: true });

test('an authority is named by its form, which keeps its key to itself', async () => {
  await ada.opens('/outside-authorities');
  await ada.page.getByRole('link', { name: 'Add authority' }).click();
  await ada.sees('Add authority');
  const save = ada.page.getByRole('button', { name: 'Add authority' });
  assert.match(await ada.field('Staging directory').inputValue(), /^https:\/\/acme-staging/);
  await ada.page.getByRole('combobox', { name: 'Which' }).click();
  await ada.page.getByRole('option', { name: 'Another, by its address' }).click();
  await ada.field('Name').fill('own');
  await ada.field('Directory').first().fill('http://127.0.0.1:9/directory');
  await ada.reads('It has to begin with https://');
  await ada.field('Directory').first().fill('https://127.0.0.1:9/directory');
  await ada.adds('ops@example.net', 'Contacts');
  await ada.presses('Account binding');
  await ada.field('Key ID').fill('kid-1');
  await ada.page.getByLabel('Key', { exact: true }).fill(KEY);
  assert.equal(await save.isDisabled(), true, 'the terms are not agreed to');
  await ada.page.getByRole('checkbox', { name: 'I agree to the terms of the authority' }).check();
  assert.deepEqual(await faultsOfLooks(ada, 'outside-authority-form'), []);
  await save.click();
  await ada.sees('own');
  await ada.reads('kid-1', region('Details'));
  await ada.reads(/Not made/, region('Accounts'));
  assert.ok(!(await ada.page.content()).includes(KEY));
  const { body } = await scene.client.call('outside_authorities.show', { params: { id: 'own' } });
  assert.deepEqual([body.contacts, body.staging_directory, body.eab_key_id], [['ops@example.net'], null, 'kid-1']);
  await ada.page.getByRole('link', { name: 'Edit', exact: true }).click();
  await ada.sees('Edit own');
  await ada.field('Name').fill('our-own');
  await ada.presses('Save');
  await ada.sees('our-own');
  await ada.presses('Delete');
  await ada.dialog('Delete our-own').getByLabel('Type our-own to confirm').fill('our-own');
  await ada.presses('Delete', ada.dialog('Delete our-own'));
  await ada.sees('Outside authorities');
  assert.deepEqual(ada.faults, []);
});

test('an order says why there is no certificate yet, wherever it is shown, and is tried again', async () => {
  const { authority, ingress } = await anOutsideAuthority(scene);
  await ada.goes(`/ingress/${ingress}`);
  await ada.reads('Failing', region('Certificate'));
  await ada.reads(/Failed at: an account with the authority/, region('Certificate'));
  await ada.goes('/given-certificates');
  await ada.reads('market.example.net', region('Orders'));
  assert.deepEqual(await faultsOfLooks(ada, 'orders'), []);
  await ada.goes(`/outside-authorities/${authority}`);
  await ada.reads('market.example.net', region('Orders'));
  await ada.page.getByRole('button', { name: 'Try again: market.example.net' }).click();
  await ada.reads('market.example.net is tried again now');
  assert.deepEqual(ada.faults, []);
});

test('the form of an ingress offers authorities, and an authority that is needed is not deleted', async () => {
  const { authority, ingress } = await anOutsideAuthority(scene);
  await ada.goes(`/ingress/${ingress}/edit`);
  const tls = ada.page.getByRole('combobox', { name: 'TLS' });
  assert.equal(await tls.inputValue(), 'On, with a certificate that company issues');
  await tls.click();
  await ada.page.getByRole('option', { name: 'On, with a certificate that company issues' }).waitFor();
  await photographBusy(ada, 'ingress-certificate-choice');
  await ada.page.keyboard.press('Escape');
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-ordered-edit', tls), []);
  await ada.goes(`/outside-authorities/${authority}`);
  await ada.presses('Delete');
  const asked = ada.dialog('Delete company');
  await ada.reads(/1 host name still gets its certificate from it/, asked);
  await asked.getByLabel('Type company to confirm').fill('company');
  await ada.presses('Delete', asked);
  await ada.reads('Ingresses get their certificates from the authority');
});
