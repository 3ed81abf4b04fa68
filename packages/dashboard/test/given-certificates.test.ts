/** A person brings a certificate with its key, has an ingress show it, and replaces it; the key is on no page afterwards. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { givenAuthority } from '@meshwork/panel/testing';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';

let scene: Scene;
let person: Person;
before(async () => {
  scene = await Scene.open();
  person = await scene.person('operator');
});
after(async () => {
  await person?.[Symbol.asyncDispose]();
  await scene?.[Symbol.asyncDispose]();
});

it('a certificate is brought by a file and by hand, shown by an ingress, and replaced', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-given-page-'));
  const { issue } = await givenAuthority();
  const [first, next] = [
    await issue({ names: ['DNS:cart.example.net'] }),
    await issue({ names: ['DNS:cart.example.net'] }),
  ];
  const file = join(folder.path, 'fullchain.pem');
  await writeFile(file, first.chain);
  const { page } = person;

  await person.opens('/given-certificates');
  await page.getByRole('link', { name: 'Add certificate' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('cart');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose file for Certificate chain' }).click();
  await (await chooser).setFiles(file);
  const key = page.getByRole('textbox', { name: 'Private key' });
  await key.fill(first.certificate);
  await person.reads('This is no private key in PEM');
  await key.fill(next.private_key);
  await page.getByRole('button', { name: 'Add certificate' }).click();
  await person.reads('is for another certificate');
  await key.fill(first.private_key);
  await page.getByRole('button', { name: 'Add certificate' }).click();
  await person.reads('No ingress shows it');
  const secret = first.private_key.split('\n')[1] ?? assert.fail();
  assert.ok(!(await page.content()).includes(secret));

  await person.opens('/ingress/new');
  await page.getByRole('combobox', { name: 'TLS' }).click();
  await page.getByRole('option', { name: /given certificate cart \(cart\.example\.net\)/ }).click();
  const { body: given } = await scene.client.call('given_certificates.show', { params: { id: 'cart' } });
  await scene.client.call('ingress.create', {
    body: {
      ...{ name: 'cart', hostname: 'cart.example.net', service: 'cart', gateways: ['tag:role:gateway'] },
      tls: { certificate: 'cart' },
    },
  });
  await person.opens(`/given-certificates/${given.id}`);
  await person.reads('cart.example.net');
  assert.equal(await page.getByRole('button', { name: 'Delete' }).isDisabled(), true, 'an ingress shows it');

  await page.getByRole('link', { name: 'Replace' }).click();
  await page.getByRole('textbox', { name: 'Certificate chain' }).fill(next.chain);
  await page.getByRole('textbox', { name: 'Private key' }).fill(next.private_key);
  await page.getByRole('button', { name: 'Replace' }).click();
  await person.reads('Last replaced');
  const { body: replaced } = await scene.client.call('given_certificates.show', { params: { id: 'cart' } });
  assert.notEqual(replaced.fingerprint, given.fingerprint);
  assert.ok(!(await page.content()).includes(next.private_key.split('\n')[1] ?? ''));
});
