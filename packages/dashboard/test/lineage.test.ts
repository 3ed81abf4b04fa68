/** Revoking a token or disabling a person: which tokens they created end too, and which are kept. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClient } from '@meshwork/client';
import { type Token, type TokenWithSecret, utc, WHOLE_MESH } from '@meshwork/contract';
import { LOOKS, photograph } from './looks.ts';
import { NAMES, Scene } from './scene.ts';

let scene: Scene;
before(async () => {
  scene = await Scene.open({ mesh: false });
});
after(() => scene[Symbol.asyncDispose]());

const stateOf = async ({ id }: Token) => (await scene.client.call('tokens.show', { params: { id } })).body.state;

async function make(name: string, role: string, as?: string): Promise<TokenWithSecret> {
  const client = as === undefined ? scene.client : createClient({ url: scene.panel.coordinator.url, token: as });
  const expires = utc(scene.panel.clock.now() + (as === undefined ? 2 : 1) * 3600_000);
  return (await client.call('tokens.create', { body: { name, role, scope: WHOLE_MESH, expires } })).body;
}

test('a token that made others is revoked with them or without, and neither is assumed', async () => {
  const parent = await make('pipeline-root', 'operator');
  const children = [await make('deploy-eu', 'viewer', parent.secret), await make('deploy-us', 'viewer', parent.secret)];
  for (const look of LOOKS) {
    await using person = await scene.person('owner', look);
    await person.opens(`/tokens/${parent.id}`);
    await person.page
      .getByRole('list', { name: 'Tokens created with it' })
      .getByRole('link', { name: 'deploy-us' })
      .waitFor();
    await person.presses('Revoke');
    const dialog = person.dialog('Revoke pipeline-root');
    await person.reads('2 tokens created with it are still valid:', dialog);
    await person.settled();
    await photograph(person, 'revoke-with-children', look);
    assert.equal(await dialog.getByRole('button', { name: 'Revoke', exact: true }).isDisabled(), true);
  }
  await using person = await scene.person('owner');
  await person.opens(`/tokens/${parent.id}`);
  await person.presses('Revoke');
  const dialog = person.dialog('Revoke pipeline-root');
  await dialog.getByRole('radio', { name: 'Revoke them too' }).check();
  await person.presses('Revoke', dialog);
  await dialog.waitFor({ state: 'hidden' });
  for (const child of children) assert.equal(await stateOf(child), 'revoked', child.name);
  await person.opens(`/tokens/${children[0]?.id}`);
  await person.page.getByRole('link', { name: 'pipeline-root' }).click();
  await person.sees('pipeline-root');
  assert.deepEqual(person.faults, []);
});

test('the tokens that a person created are listed before their permissions shrink, and can be kept', async () => {
  const browser = await scene.panel.signIn(NAMES.operator);
  const state = await browser.state();
  assert.ok(state.state === 'signed_in');
  const body = { name: 'nightly', role: 'operator', scope: WHOLE_MESH, expires: scene.panel.coordinator.inDays(10) };
  const token = await browser.must<TokenWithSecret>(201, 'POST', '/api/v1/coordinator/auth/tokens', { body });
  for (const look of LOOKS) {
    await using person = await scene.person('owner', look);
    await person.opens(`/people/${state.user.id}`);
    await person.presses('Disable');
    const dialog = person.dialog(`Disable ${NAMES.operator}`);
    await person.reads('This token is revoked too:', dialog);
    await person.settled();
    await photograph(person, 'disable-with-tokens', look);
  }
  await using person = await scene.person('owner');
  await person.opens(`/people/${state.user.id}`);
  const demote = async (role: string) => {
    await person.field('Role').click();
    await person.page.getByRole('option', { name: role, exact: true }).click();
    await person.presses('Save');
    return person.dialog(`Change ${NAMES.operator}`);
  };
  const kept = await demote('viewer');
  await kept.getByRole('checkbox', { name: 'Keep these tokens' }).check();
  await person.presses('Change', kept);
  await person.reads(`${NAMES.operator} updated`);
  assert.equal(await stateOf(token), 'active');
  await person.opens(`/people/${state.user.id}`);
  const ended = await demote('auditor');
  await person.reads('nightly', ended);
  await person.presses('Change', ended);
  await person.reads(`${NAMES.operator} updated`);
  assert.equal(await stateOf(token), 'revoked');
  assert.deepEqual(person.faults, []);
});
