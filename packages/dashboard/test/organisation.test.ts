/** Tokens, roles, sessions, settings, the audit trail and the events, through the page. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '@meshwork/client';
import type { Locator } from 'playwright-core';
import type { Person } from './person.ts';
import { NAMES, Scene } from './scene.ts';
import { until } from './until.ts';

let scene: Scene;
let grace: Person;
before(async () => {
  scene = await Scene.open({ mesh: false });
  grace = await scene.person('owner');
});
after(() => scene[Symbol.asyncDispose]());

/** Whether the coordinator takes a secret. */
async function isGood(token: string): Promise<boolean> {
  const client = createClient({ url: scene.panel.coordinator.url, token, retry: false });
  return client.call('self.whoami').then(
    () => true,
    () => false,
  );
}

/** Reads a secret that is shown once, and says that it is kept. */
async function takes(person: Person, dialog: Locator): Promise<string> {
  const secret = await dialog.locator('code').first().innerText();
  assert.match(secret, /^mesh_/);
  await person.presses('I have stored it', dialog);
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

test('a token is made for a purpose, shown once, rotated and revoked', async () => {
  await using person = await grace.tab();
  await person.opens('/tokens');
  await person.page.getByRole('link', { name: 'New token' }).first().click();
  await person.sees('New token');
  await person.page.getByRole('radio', { name: /^Monitoring/ }).click();
  await person.field('Name').fill('grafana');
  await person.presses('Create token');
  const first = await takes(person, person.dialog('Token created'));
  await person.sees('grafana');
  assert.equal(await isGood(first), true);
  assert.ok(!(await person.page.content()).includes(first), 'it is gone');
  await person.page.reload();
  await person.sees('grafana');
  assert.ok(!(await person.page.content()).includes(first), 'also after a reload');

  await person.presses('Rotate grafana');
  const dialog = person.dialog('Rotate grafana');
  await person.field('Keep the old secret valid for', dialog).click();
  await person.page.getByRole('option', { name: 'Revoke immediately' }).click();
  await person.presses('Rotate', dialog);
  const second = await takes(person, dialog);
  assert.deepEqual([await isGood(first), await isGood(second)], [false, true]);

  await person.opens('/tokens?q=grafana&state=active');
  await person.page.getByRole('link', { name: 'grafana' }).first().click();
  await person.sees('grafana');
  await person.presses('Revoke');
  await person.presses('Revoke', person.dialog('Revoke grafana'));
  await person.reads('Revoked');
  assert.equal(await isGood(second), false);
  assert.deepEqual(person.faults, []);
});

test('a role of one’s own is made, changed and deleted', async () => {
  await using person = await grace.tab();
  const permissions = async () =>
    (await scene.client.call('roles.show', { params: { name: 'night-shift' } })).body.permissions;
  const box = (area: string, label: string) =>
    person.page.getByRole('group', { name: area, exact: true }).getByRole('checkbox', { name: label, exact: true });
  await person.opens('/roles/new');
  await person.field('Name').fill('night-shift');
  await person.field('Description').fill('watches while others sleep');
  await box('nodes', 'read').check();
  await person.presses('Create role');
  await person.sees('night-shift');
  assert.deepEqual([...(await permissions())].sort(), ['nodes:read', 'self:read']);
  await person.settled();
  await box('nodes', 'quarantine').check();
  await person.presses('Save');
  await person.reads('They gain nodes:quarantine.', person.dialog());
  await person.presses('Change', person.dialog());
  await until('it holds', async () => (await permissions()).includes('nodes:quarantine'));
  await person.presses('Delete');
  await person.presses('Delete', person.dialog('Delete night-shift'));
  await person.sees('Roles');
  await person.page.getByRole('link', { name: 'night-shift' }).waitFor({ state: 'detached' });
  assert.deepEqual(person.faults, []);
});

test('a session ends at once when another person ends it', async () => {
  const browser = await scene.panel.signIn(NAMES.viewer);
  await using vera = await scene.signedIn(browser);
  await vera.opens('/nodes');
  await vera.isLive();
  await using person = await grace.tab();
  await person.opens('/people');
  await person.page.getByRole('link', { name: NAMES.viewer }).click();
  await person.sees(NAMES.viewer);
  await person.presses('End all');
  await person.presses('End sessions', person.dialog());
  await person.reads('No sessions');
  await vera.sees('Sign in');
  assert.deepEqual(person.faults, []);
});

test('the dialog that removes a person lists the tokens that end with them', async () => {
  await using ada = await scene.person('operator');
  await ada.opens('/tokens/new');
  await ada.page.getByRole('radio', { name: /^Monitoring/ }).click();
  await ada.field('Name').fill('left-behind');
  await ada.presses('Create token');
  const secret = await takes(ada, ada.dialog('Token created'));
  await using person = await grace.tab();
  await person.opens('/people');
  await person.page.getByRole('link', { name: NAMES.operator }).click();
  await person.sees(NAMES.operator);
  await person.page.getByRole('link', { name: 'left-behind' }).waitFor();
  await person.presses('Remove');
  const dialog = person.dialog(`Remove ${NAMES.operator}`);
  await person.reads('This token is revoked too:', dialog);
  await person.reads('left-behind', dialog);
  await dialog.getByLabel(`Type ${NAMES.operator} to confirm`).fill(NAMES.operator);
  await person.presses('Remove', dialog);
  await person.sees('People');
  assert.equal(await isGood(secret), false, 'as it was said');
  assert.deepEqual(person.faults, []);
});

test('settings are changed with their consequence in sight, and what is wrong is said beside the field', async () => {
  await using person = await grace.tab();
  await person.opens('/settings');
  await person.field('Operations time out after').fill('120');
  await person.reads('1 unsaved change');
  await person.presses('Review and save');
  await person.reads(/Operations time out after.*→/, person.dialog('Save settings?'));
  await person.presses('Save', person.dialog('Save settings?'));
  await person.page.getByText('1 unsaved change').waitFor({ state: 'detached' });
  assert.equal((await scene.client.call('settings.show')).body.operations.timeout_s, 120);

  await person.field('Stale after').fill('3');
  await person.presses('Review and save');
  await person.presses('Save', person.dialog('Save settings?'));
  await person.page.locator('.mantine-InputWrapper-error').first().waitFor();
  await person.presses('Discard');
  assert.equal((await scene.client.call('settings.show')).body.nodes.stale_after_s, 45);
  assert.deepEqual(person.faults, []);
});

test('the trail is searched, and its chain is checked', async () => {
  await using person = await grace.tab();
  await person.opens('/audit');
  await person.field('Action').fill('settings.update');
  const rows = person.page.getByRole('table', { name: 'Audit entries' }).locator('tbody tr');
  await until('only changes of the settings are listed', async () => {
    const texts = await rows.allInnerTexts();
    return texts.length > 0 && texts.every((text) => text.includes('settings.update'));
  });
  assert.match(person.page.url(), /action=settings\.update/);
  await rows.first().focus();
  await person.page.keyboard.press('Enter');
  await person.reads(NAMES.owner, person.dialog());
  await person.page.keyboard.press('Escape');
  await person.presses('Verify chain');
  await person.presses('Verify', person.dialog('Verify mesh audit trail'));
  await person.reads('The chain is intact');

  await person.opens('/audit/panel');
  await person.reads('auth.login');
  await person.presses('Verify chain');
  await person.presses('Verify', person.dialog('Verify panel audit trail'));
  await person.reads('The chain is intact');
  assert.deepEqual(person.faults, []);
});

test('what happens is seen as it happens, and not while one has paused', async () => {
  await using person = await grace.tab();
  await person.opens('/events');
  await person.isLive();
  const happens = () => scene.client.call('settings.update', { body: { events: { retention_days: ++days } } });
  let days = 7;
  const rows = person.page.getByRole('table', { name: 'Events' }).locator('tbody tr');
  await happens();
  await until('it is there', async () => (await rows.count()) === 1);
  await person.presses('Pause');
  await happens();
  await person.presses('Resume: 1 new');
  await until('both are there', async () => (await rows.count()) === 2);
  assert.deepEqual(person.faults, []);
});
