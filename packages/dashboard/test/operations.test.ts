/** Node operations through the page, carried out by simulated nodes. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Fleet } from '@meshwork/lab';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { stateOf } from './scene-mesh.ts';
import { PENDING } from './scene-roster.ts';
import { until } from './until.ts';

let scene: Scene;
let ada: Person;
before(async () => {
  scene = await Scene.open();
  ada = await scene.person('operator');
});
after(() => scene[Symbol.asyncDispose]());

/** Opens the page of a node, and waits until it is live. */
async function lookAt(name: string): Promise<Person> {
  const person = await ada.tab();
  await person.opens(`/nodes/${scene.node(name).id}`);
  await person.sees(name);
  await person.isLive();
  return person;
}

/** The card of the newest operation of a kind. */
const card = (person: Person, kind: string) =>
  person.page
    .locator('.mantine-Paper-root')
    .filter({ has: person.page.getByRole('link', { name: kind, exact: true }) })
    .first();

const state = (person: Person, word: string) => person.reads(word, person.page.locator('main').locator('h1 + *'));

test('the command of the enrolment dialogue enrols one node, and the dialogue sees it join', async () => {
  await using person = await ada.tab();
  await person.opens('/nodes');
  await person.isLive();
  await person.presses('Enrol a node');
  const dialog = person.dialog('Enrol a node');
  await dialog.getByLabel('Name').fill('git-9');
  await person.presses('Generate command', dialog);
  const command = await dialog.locator('code').first().innerText();
  const token = /MESH_ENROLL_TOKEN='?([^' ]+)'? mesh agent enroll --coordinator '?(\S+?)'? .*--name '?git-9/.exec(
    command,
  );
  assert.ok(token?.[1] !== undefined && token[2] !== undefined, command);
  await person.reads('Waiting for git-9 to join', dialog);

  const { clock } = scene.panel;
  const machine = new Fleet({
    urls: [token[2]],
    token: token[1],
    name: (index) => (index === 0 ? 'git-9' : 'git-10'),
    clock: {
      now: () => clock.now(),
      sleep: (ms, signal) => new Promise((done) => setTimeout(done, signal.aborted ? 0 : ms)),
    },
  });
  try {
    await machine.join(1);
    await person.reads(/joined, with the address 100\.64\./, dialog);
    await assert.rejects(machine.join(1), 'the token was for one node');
    await dialog.getByRole('link', { name: 'git-9' }).click();
    await person.sees('git-9');
    await state(person, 'Active');
  } finally {
    await machine.close();
  }
  assert.deepEqual(person.faults, []);
});

test('shows new tags as soon as the node has them', async () => {
  await using person = await lookAt('web-1');
  await person.chooses('Operations', 'Change tags');
  const dialog = person.dialog(/Change the tags/);
  await person.adds('role:cache', 'Tags', dialog);
  await person.reads('New: role:cache.', dialog);
  await person.presses('Change tags', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await person.reads('Verified', card(person, 'Tag change'));
  await person.page.getByText('role:cache', { exact: true }).first().waitFor();
  const { tags } = (await scene.client.call('nodes.show', { params: { id: scene.node('web-1').id } })).body;
  assert.ok(tags.includes('role:cache'));
  assert.deepEqual(person.faults, []);
});

test('a re-key is shown until a heartbeat proves it', async () => {
  const params = { id: scene.node('git-1').id };
  const key = async () => (await scene.client.call('nodes.show', { params })).body.wireguard_key;
  const before = await key();
  await using person = await lookAt('git-1');
  await person.chooses('Operations', 'Re-key');
  const dialog = person.dialog('Re-key: git-1');
  await person.reads('git-1 generates a new WireGuard key', dialog);
  await person.presses('Re-key', dialog);
  await person.reads('Verified', card(person, 'Re-key'));
  const now = await key();
  assert.notEqual(now, before);
  await person.reads(now);
  assert.deepEqual(person.faults, []);
});

test('a drain begins and ends', async () => {
  await using person = await lookAt('git-2');
  await person.chooses('Operations', 'Drain');
  await person.presses('Drain', person.dialog('Drain git-2'));
  await state(person, 'Draining');
  await person.reads('Verified', card(person, 'Drain'));
  await person.chooses('Operations', 'Undrain');
  await person.presses('Undrain', person.dialog(/Undrain/));
  await state(person, 'Active');
  assert.deepEqual(person.faults, []);
});

test('a node is quarantined with a reason, and released', async () => {
  await using person = await lookAt('ci-1');
  await person.chooses('Operations', 'Quarantine');
  const dialog = person.dialog('Quarantine ci-1');
  await dialog.getByLabel('Reason').fill('talks to strangers');
  await person.presses('Quarantine', dialog);
  await state(person, 'Quarantined');
  await person.reads('talks to strangers');
  await person.presses('Release from quarantine');
  await person.presses('Release from quarantine', person.dialog());
  await state(person, 'Active');
  assert.deepEqual(person.faults, []);
});

test('a pending node is approved', async () => {
  await using person = await lookAt(PENDING);
  await person.presses('Approve');
  await person.presses('Approve', person.dialog());
  await state(person, 'Active');
  assert.equal(await stateOf(scene.client, PENDING), 'active');
  assert.deepEqual(person.faults, []);
});

test('removing a node requires its name', async () => {
  await using person = await lookAt('laptop-ben');
  await person.chooses('Operations', 'Remove');
  const dialog = person.dialog('Remove: laptop-ben');
  await dialog.waitFor();
  const remove = dialog.getByRole('button', { name: 'Remove', exact: true });
  assert.equal(await remove.isDisabled(), true);
  await dialog.getByLabel('Type laptop-ben to confirm').fill('laptop-ana');
  assert.equal(await remove.isDisabled(), true);
  await dialog.getByLabel('Type laptop-ben to confirm').fill('laptop-ben');
  await remove.click();
  await state(person, 'Removed');
  await until('the agent has noticed', () => scene.node('laptop-ben').ending !== undefined);
  assert.equal(await stateOf(scene.client, 'laptop-ben'), undefined);
  assert.deepEqual(person.faults, []);
});
