/** The mesh CA in the browser: certificates are listed, issued from a request, refused with reasons and revoked, and authorities rotated. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECTION_NAMES } from '@meshwork/contract';
import { TestNode } from '@meshwork/panel/testing';
import type { Locator } from 'playwright-core';
import { anAcmeAccount } from './acme-account.ts';
import { aCertificate, makeRequest } from './certificate-request.ts';
import { faultsOfLooks } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { until } from './until.ts';

let scene: Scene;
before(async () => {
  scene = await Scene.open({ authorities: true });
});
after(() => scene[Symbol.asyncDispose]());

const rowsOf = ({ page }: Person) => page.getByRole('table', { name: 'Certificates' }).locator('tbody tr');
const stateOf = async (id: string) => (await scene.client.call('ca.certificate', { params: { id } })).body.state;

/** In both colour schemes, wide and narrow. `shown`: what has to be in the picture. */
async function looksRight(person: Person, name: string, shown?: Locator): Promise<void> {
  assert.deepEqual(await faultsOfLooks(person, name, shown), []);
}

async function downloaded(person: Person, button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([person.page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('the authorities are shown, with the bundle that makes programs trust them', async () => {
  await using person = await scene.person('viewer');
  await person.opens('/certificates');
  const authorities = person.page.getByRole('list', { name: 'Authorities' }).getByRole('listitem');
  assert.equal(await authorities.count(), 2);
  assert.match(
    await authorities.first().innerText(),
    /Meshwork root .*Healthy.*1 valid intermediate.*days left, 0% used/s,
  );
  const { name, text } = await downloaded(person, person.page.getByRole('button', { name: 'Download trust bundle' }));
  assert.equal(name, 'meshwork.crt');
  assert.equal(text, (await scene.client.call('ca.bundle')).body);
  await person.page.getByText('How to trust the mesh on another machine').click();
  await person.reads(/update-ca-certificates/);
  await person.reads(/curl --cacert meshwork\.crt/);
  await looksRight(person, 'certificates-trust');
  assert.deepEqual(person.faults, []);
});

test('certificates are found by node, name and state', async () => {
  const id = await aCertificate(scene, 'git-2.mesh');
  await aCertificate(scene, 'db-1.mesh');
  await using person = await scene.person('operator');
  await person.opens('/certificates?profile=server&node=git-2');
  await rowsOf(person).getByRole('link', { name: 'git-2.mesh' }).waitFor();
  assert.equal(await rowsOf(person).count(), 1);
  await person.goes('/certificates?profile=server');
  await person.field('Name or serial number').fill('db-1');
  await until('the others are gone', async () => (await rowsOf(person).count()) === 1);
  assert.match(await rowsOf(person).innerText(), /db-1\.mesh.*Server.*db-1.*Valid/s);
  await person.goes('/certificates?profile=server&state=revoked&q=git-2');
  await person.reads('No matching certificates');
  await person.presses('Show all certificates');
  await rowsOf(person).getByRole('link', { name: 'git-2.mesh' }).click();
  await person.sees('git-2.mesh');
  assert.equal(new URL(person.page.url()).pathname, `/certificates/${id}`);
  assert.deepEqual(person.faults, []);
});

test('a certificate is issued from a request that OpenSSL made', async () => {
  await using made = await makeRequest('DNS:web-1.mesh,DNS:www.web-1.mesh');
  await using person = await scene.person('operator');
  await person.opens('/certificates');
  await person.page.getByRole('link', { name: 'Issue certificate' }).click();
  await person.sees('Issue certificate');
  await person.field('DNS name').fill('web-1.mesh');
  await person.reads(/-keyout web-1\.key -out web-1\.csr/);
  await looksRight(person, 'certificate-new');
  await person.page.locator('input[type=file]').setInputFiles(made.file);
  await until('it is read', async () => (await person.field('Certificate request').inputValue()) === made.request);
  await person.presses('Issue certificate');
  await person.reads('Certificate of web-1.mesh issued');
  await looksRight(person, 'certificate-issued');
  const { name, text } = await downloaded(person, person.page.getByRole('button', { name: /^Download/ }));
  assert.equal(name, 'web-1.mesh.pem');
  assert.equal(text.split('-----BEGIN CERTIFICATE-----').length, 3);
  await person.page.getByRole('link', { name: 'Open certificate' }).click();
  await person.sees('web-1.mesh');
  await person.reads('www.web-1.mesh');
  await looksRight(person, 'certificate-opened');
  assert.deepEqual(person.faults, []);
});

test('a request that asks for too much is refused with every reason, and a private key is not sent', async () => {
  await using made = await makeRequest('DNS:example.org,DNS:no-such-node.mesh');
  await using person = await scene.person('operator');
  await person.opens('/certificates/new');
  const field = person.field('Certificate request');
  await field.fill(made.key + made.request);
  await person.reads(/contains a private key, which was not sent/);
  assert.equal(await person.page.getByRole('button', { name: 'Issue certificate' }).isDisabled(), true);
  await field.fill(made.request);
  await person.presses('Issue certificate');
  const refusal = person.page.getByRole('alert').filter({ hasText: 'the request was refused' });
  await refusal.waitFor();
  const reasons = await refusal.getByRole('listitem').allInnerTexts();
  assert.equal(reasons.length, 2);
  assert.match(reasons.join('\n'), /"example\.org".*\n.*"no-such-node\.mesh"/);
  await looksRight(person, 'certificate-refused');
  assert.deepEqual(person.faults, []);
});

test('a certificate is revoked with a reason, after the page said what that breaks', async () => {
  const id = await aCertificate(scene, 'ci-1.mesh');
  await using person = await scene.person('operator');
  await person.opens(`/certificates/${id}`);
  await person.presses('Revoke certificate');
  const dialog = person.dialog('Revoke certificate of ci-1.mesh');
  await person.reads('It names ci-1.mesh, of node ci-1.', dialog);
  await person.reads(/newest with these names/, dialog);
  await looksRight(person, 'certificate-revoke');
  await dialog.getByRole('combobox', { name: 'Reason' }).click();
  await person.page.getByRole('option', { name: 'Key compromise' }).click();
  await person.presses('Revoke certificate', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await person.reads('Key compromise', person.page.locator('main'));
  assert.equal(await stateOf(id), 'revoked');
  await until('the button is gone', async () => {
    return (await person.page.getByRole('button', { name: 'Revoke certificate' }).count()) === 0;
  });
  await looksRight(person, 'certificate-revoked');
  assert.deepEqual(person.faults, []);
});

test('all certificates of a node are revoked from the list that shows them', async () => {
  const id = await aCertificate(scene, 'laptop-ana.mesh');
  await using viewer = await scene.person('viewer');
  await viewer.opens('/certificates?node=laptop-ana');
  assert.equal(await viewer.page.getByRole('button', { name: /^Revoke/ }).count(), 0);
  await using person = await scene.person('operator');
  await person.opens('/certificates?node=laptop-ana');
  await looksRight(person, 'certificates-of-node');
  await person.presses('Revoke all of this node');
  const dialog = person.dialog('Revoke all certificates of laptop-ana');
  await person.reads(/quarantine it instead/, dialog);
  await looksRight(person, 'certificates-revoke-all');
  await person.presses('Revoke all', dialog);
  await person.reads(/certificates? of laptop-ana revoked/);
  assert.equal(await stateOf(id), 'revoked');
  assert.deepEqual([...person.faults, ...viewer.faults], []);
});

test('ACME accounts are listed with what became of their token, and one is deactivated after the page said what that breaks', async () => {
  await using person = await scene.person('operator');
  const { page } = person;
  const section = page.getByRole('region', { name: 'ACME accounts' });
  const rowOf = (name: string) => section.getByRole('row').filter({ hasText: name });
  await person.opens('/certificates');
  await person.isLive();
  await person.reads(`${scene.panel.coordinator.url}/v1/acme/directory`, section);
  await person.reads('mesh acme bind', section);
  await looksRight(person, 'acme-none', section);

  const { id } = await anAcmeAccount(scene, 'traefik');
  const { token } = await anAcmeAccount(scene, 'caddy');
  await rowOf('caddy').getByText('Valid', { exact: true }).waitFor();
  await scene.client.call('tokens.revoke', { params: { id: token.id } });
  await rowOf('caddy').getByText('Token no longer works').waitFor();
  assert.match(await rowOf('traefik').innerText(), /traefik.*Valid.*traefik@example\.org/s);
  await looksRight(person, 'acme-accounts', section);
  await using viewer = await scene.person('viewer');
  await viewer.opens('/certificates');
  await viewer.reads('traefik@example.org');
  assert.equal(await viewer.page.getByRole('button', { name: /^Deactivate/ }).count(), 0);
  assert.equal(await viewer.page.getByRole('link', { name: 'traefik' }).count(), 0);

  const button = rowOf('traefik').getByRole('button', { name: 'Deactivate ACME account of traefik' });
  await button.click();
  const dialog = person.dialog('Deactivate ACME account of traefik');
  await person.reads(/no longer get or renew certificates/, dialog);
  await person.reads(/stay valid until they expire/, dialog);
  await looksRight(person, 'acme-deactivate');
  await person.presses('Deactivate', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await rowOf('traefik').getByText('Deactivated', { exact: true }).waitFor();
  await button.waitFor({ state: 'hidden' });
  const { items } = (await scene.client.call('acme.accounts', { query: { state: 'deactivated' } })).body;
  assert.deepEqual(
    items.map((account) => account.id),
    [id],
  );
  await rowOf('traefik').getByRole('link', { name: 'traefik' }).click();
  await person.sees('traefik');
  assert.deepEqual([...person.faults, ...viewer.faults], []);
});

/** A node that keeps what it trusts, as simulated ones do not. It never proves a new authority. */
async function trustingNode(name: string): Promise<TestNode> {
  const node = await TestNode.enroll(scene.panel.coordinator, { name });
  await node.beat({ report: { abilities: { sections: [...SECTION_NAMES], engines: { test: '1' } } } });
  await node.beat({ applied: node.applied() });
  return node;
}

/** So that it is waited for. */
function keepBeating(node: TestNode): Disposable & { readonly stop: () => void } {
  const stopped = new AbortController();
  const beat = async () => {
    while (!stopped.signal.aborted) {
      await node.beat();
      await sleep(2_000, undefined, { signal: stopped.signal });
    }
  };
  const stop = () => stopped.abort();
  beat().catch(() => undefined); // it was stopped; a node that is not heard any more shows in the test
  return { stop, [Symbol.dispose]: stop };
}

const stateOfNode = async (id: string) => (await scene.client.call('nodes.show', { params: { id } })).body.state;

test('authorities are rotated: nodes are waited for, it can be cancelled, and the new ones come into use', async () => {
  const away = await trustingNode('kiosk-1');
  scene.panel.clock.advance(40);
  await until('it is missed', async () => (await stateOfNode(away.id)) === 'stale');
  const slow = await trustingNode('nas-1');
  using beating = keepBeating(slow);
  await using viewer = await scene.person('viewer');
  await viewer.opens('/certificates');
  assert.equal(await viewer.page.getByRole('button', { name: 'Rotate…' }).count(), 0);
  await using person = await scene.person('owner');
  await person.opens('/certificates');
  await person.presses('Rotate…');
  const dialog = person.dialog('Rotate authorities');
  await dialog.getByRole('radio', { name: 'Root' }).click();
  await person.field('Deadline', dialog).click();
  await person.page.getByRole('option', { name: '7 days' }).click();
  await person.reads(/Machines outside the mesh/, dialog);
  await person.reads(/After 7 days, it comes in any case/, dialog);
  await looksRight(person, 'authorities-rotate');
  await person.presses('Start rotation', dialog);
  const card = person.page.getByRole('region', { name: 'Rotation' });
  await person.reads('0 of 1 node has proven that it trusts the new root', card);
  await card.getByRole('link', { name: 'nas-1' }).waitFor();
  await card.getByRole('link', { name: 'kiosk-1' }).waitFor();
  const authorities = person.page.getByRole('list', { name: 'Authorities', exact: true });
  assert.equal(await authorities.getByText('Published', { exact: true }).count(), 2);
  assert.equal(await person.page.getByRole('button', { name: 'Rotate…' }).count(), 0);
  await looksRight(person, 'authorities-rotation');
  await viewer.reads('0 of 1 node has proven that it trusts the new root');
  assert.equal(await viewer.page.getByRole('button', { name: 'Cancel rotation' }).count(), 0);
  await person.presses('Cancel rotation', card);
  await looksRight(person, 'authorities-rotation-cancel');
  await person.presses('Cancel rotation', person.dialog('Cancel rotation of the root'));
  await card.waitFor({ state: 'hidden' });
  assert.equal((await scene.client.call('ca.show')).body.rotation, null);

  beating.stop();
  await scene.client.call('nodes.remove', { params: { id: slow.id } });
  await person.presses('Rotate…');
  await person.presses('Start rotation', dialog);
  await person.reads(/In use since/, card);
  await person.reads(/certificates? (still|left) to renew/, card);
  await authorities.getByText('Retiring', { exact: true }).waitFor();
  assert.equal(await card.getByRole('button').filter({ hasText: 'Cancel rotation' }).count(), 0);
  await looksRight(person, 'authorities-switched');
  assert.deepEqual([...person.faults, ...viewer.faults], []);
});

test('further domains and the address of the lists are settings, and the page says which domains wait for a root', async () => {
  await using person = await scene.person('owner');
  const { page } = person;
  const ca = { domains: ['corp.example.org'], distribution_url: 'http://mesh.example.org:7400' };
  await scene.client.call('settings.update', { body: { ca } });
  await person.opens('/settings');
  const domains = page.getByRole('combobox', { name: 'Further domains' });
  await domains.scrollIntoViewIfNeeded();
  assert.equal(
    await page.getByLabel('Address for revocation lists', { exact: true }).inputValue(),
    ca.distribution_url,
  );
  await domains.fill('lan.example.org');
  await domains.press('Enter');
  await page.getByText('In effect with the next rotation of the root.').waitFor();
  await looksRight(person, 'settings-certificates', domains);
  await person.opens('/certificates'); // a link would ask what becomes of the draft
  await page.getByText('The root does not certify corp.example.org.').waitFor();
  await page.getByText('Fingerprint and constraints').first().click();
  await page
    .getByText(/^http:\/\/mesh\.example\.org:7400\/v1\/ca\/crl\/[0-9a-f]{32}$/)
    .first()
    .waitFor();
  await looksRight(person, 'certificates-domains');
  await scene.client.call('settings.update', { body: { ca: { domains: [], distribution_url: null } } });
});
