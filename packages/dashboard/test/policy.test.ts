/** From "why can't A reach B" to a policy that allows it, and back; and host rules. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { until } from './until.ts';

const QUESTION = '/reach?from=laptop-ana&to=db-1&port=tcp:5432';

let scene: Scene;
let ada: Person;
before(async () => {
  scene = await Scene.open();
  ada = await scene.person('operator');
});
after(() => scene[Symbol.asyncDispose]());

const verdict = (person: Person, word: 'allowed' | 'denied') =>
  person.page.locator(`[data-verdict="${word}"]`).waitFor();

test('a denial suggests a grant, the grant goes into the policy, and the answer updates itself', async () => {
  await using asking = await ada.tab();
  await asking.opens('/reach');
  await asking.field('From').fill('laptop-ana');
  await asking.field(/^To/).fill('db-1');
  await asking.field('Port').fill('5432');
  await asking.presses('Ask');
  await verdict(asking, 'denied');
  await asking.isLive();
  assert.equal(
    new URL(asking.page.url()).search,
    '?from=laptop-ana&to=db-1&port=tcp%3A5432',
    'the question can be shared',
  );

  await using writing = await ada.tab();
  await writing.opens(QUESTION);
  await writing.page.getByRole('link', { name: 'Open in the policy editor' }).first().click();
  await writing.sees('Policy');
  await writing.presses('Add to policy', writing.dialog());
  await writing.reads('Unsaved, no problems');
  await writing.presses('Review and save');
  const review = writing.dialog('Review changes');
  await writing.reads(/tcp:5432/, review);
  await review.getByLabel('Note').fill('ana looks after the database');
  await writing.presses('Save policy', review);
  await writing.reads('No changes');
  await writing.reads(/Version 2 is in effect/i);
  await writing.reads('ana looks after the database');

  await verdict(asking, 'allowed');
  const { text } = (await scene.client.call('acls.show')).body;
  assert.match(text, /\/\/ Runners fetch, and only while they are heard of\./, 'comments stay');
  assert.deepEqual([...asking.faults, ...writing.faults], []);
});

test('an earlier version is compared and restored, and the answer updates itself', async () => {
  await using asking = await ada.tab();
  await asking.opens(QUESTION);
  await verdict(asking, 'allowed');
  await asking.isLive();

  await using person = await ada.tab();
  await person.opens('/access/versions');
  await person.page.getByRole('link', { name: '1', exact: true }).click();
  await person.sees('Policy version 1');
  await person.page.getByText('Compare with current').click();
  await person.reads(/"allow": \["tcp:5432"\]/);
  await person.presses('Restore');
  const dialog = person.dialog('Restore version 1');
  await dialog.getByLabel('Note').fill('it was a mistake');
  await person.presses('Restore version', dialog);
  await person.sees('Policy');
  await person.reads(/Version 3 is in effect/i);
  await verdict(asking, 'denied');
  assert.deepEqual([...asking.faults, ...person.faults], []);
});

test('an error is marked while typing, and cannot be saved', async () => {
  await using person = await ada.tab();
  await person.opens('/access');
  await person.page.locator('.cm-content').click();
  await person.page.keyboard.press('Control+End');
  await person.page.keyboard.type('oops');
  await person.reads(/Unsaved, [1-9]\d* problems?/);
  assert.equal(await person.page.getByRole('button', { name: 'Review and save' }).isDisabled(), true);
  await person.presses('Discard');
  await person.presses('Discard', person.dialog());
  await person.reads('No changes');
  assert.deepEqual(person.faults, []);
});

/** The descriptions of the rules, in the order in effect. */
const notes = async () => (await scene.client.call('firewall.list', { query: {} })).body.items.map(({ note }) => note);
const inOrder = (...wanted: string[]) =>
  until(`the order is ${wanted.join(', ')}`, async () => (await notes()).join() === wanted.join());

test('a shadowed rule is marked, and a new rule is added', async () => {
  await using person = await ada.tab();
  await person.opens('/firewall');
  await person.reads(/never evaluated/);
  await person.presses('New rule');
  const dialog = person.dialog('New rule');
  await person.adds('tag:role:db', 'Nodes', dialog);
  await person.adds('3306', 'Ports', dialog);
  await dialog.getByLabel('Note').fill('no other database');
  await person.presses('Add rule', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await person.reads('no other database');
  await inOrder('the guest network', 'the printer', 'metrics', 'no other database');
  assert.deepEqual(person.faults, []);
});

test('rules are reordered by keyboard and by mouse', async () => {
  await using person = await ada.tab();
  const { page } = person;
  await person.opens('/firewall');
  await page.getByRole('button', { name: 'Move rule 4' }).focus();
  await page.keyboard.press('Space');
  await person.reads('Rule 4 is over position 4.');
  await person.drawn(); // a rule that was just taken up hears the arrow keys a moment later
  await page.keyboard.press('ArrowUp');
  await person.reads('Rule 4 is over position 3.');
  await page.keyboard.press('Space');
  await person.reads('Unsaved order.');
  await person.presses('Save order');
  await inOrder('the guest network', 'the printer', 'no other database', 'metrics');
  await page.getByRole('button', { name: 'Save order' }).waitFor({ state: 'hidden' });
  await person.settled();

  const from = await page.getByRole('button', { name: 'Move rule 1' }).boundingBox();
  const to = await page.getByRole('button', { name: 'Move rule 2' }).boundingBox();
  assert.ok(from !== null && to !== null);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height, { steps: 12 });
  await person.reads('Rule 1 is over position 2.');
  await page.mouse.up();
  await person.presses('Save order');
  await inOrder('the printer', 'the guest network', 'no other database', 'metrics');
  await page.getByText(/never evaluated/).waitFor({ state: 'detached' });
  assert.deepEqual(person.faults, []);
});

test('a rule is deleted after its consequence is shown', async () => {
  await using person = await ada.tab();
  await person.opens('/firewall');
  await person.chooses('Actions for rule 3', 'Delete');
  await person.presses('Delete', person.dialog('Delete rule 3?'));
  await inOrder('the printer', 'the guest network', 'metrics');
  await person.page.getByText('no other database').waitFor({ state: 'detached' });
  assert.deepEqual(person.faults, []);
});
