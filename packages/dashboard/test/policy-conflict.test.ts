/** Two people edit the policy at the same time, and neither loses an edit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';

let scene: Scene;
before(async () => {
  scene = await Scene.open();
});
after(() => scene[Symbol.asyncDispose]());

const policyText = async () => (await scene.client.call('acls.show')).body.text;

/** Another person saves first, with a line added at the end. */
async function someoneSaves(line: string): Promise<void> {
  await scene.client.call('acls.replace', { body: `${await policyText()}${line}\n`, query: { note: 'in a hurry' } });
}

async function typesAtTheTop(person: Person, line: string): Promise<void> {
  await person.page.locator('.cm-content').click();
  await person.page.keyboard.press('Control+Home');
  await person.page.keyboard.type(line);
  await person.page.keyboard.press('Enter');
  await person.reads('Unsaved, no problems');
}

test('an unsaved draft survives a reload and is merged with a version that another person saved', async () => {
  await using ada = await scene.person('operator');
  await ada.opens('/access');
  await typesAtTheTop(ada, '// mine');
  ada.page.once('dialog', (dialog) => void dialog.accept()); // the browser asks before it leaves
  await ada.page.reload();
  await ada.reads('This is your unsaved draft.');
  await ada.isLive();

  await someoneSaves('// theirs');
  await ada.reads('The policy was changed');
  await ada.presses('Compare');
  const dialog = ada.dialog('The policy was changed');
  await ada.reads('in a hurry', dialog);
  await ada.reads('// theirs', dialog);
  await ada.presses('Merge', dialog);
  await ada.reads(/without conflicts/);
  await ada.presses('Done merging');
  await ada.reads('Unsaved, no problems');
  await ada.presses('Review and save');
  await ada.presses('Save policy', ada.dialog('Review changes'));
  await ada.reads('No changes');
  assert.match(await policyText(), /^\/\/ mine\n[\s\S]*\/\/ theirs\n$/);
});

test('a save that comes too late is refused, shown, and overwrites only after that was seen', async () => {
  await using ada = await scene.person('operator');
  await ada.opens('/access');
  await typesAtTheTop(ada, '// at the same time');
  await ada.presses('Review and save');
  const review = ada.dialog('Review changes');
  await ada.reads('Access does not change.', review);
  await someoneSaves('// faster');
  await ada.presses('Save policy', review);
  await ada.presses('Keep mine', ada.dialog('The policy was changed'));
  await ada.presses('Save policy', ada.dialog('Review changes'));
  await ada.reads('No changes');
  const text = await policyText();
  assert.ok(text.startsWith('// at the same time\n') && !text.includes('// faster'));
});
