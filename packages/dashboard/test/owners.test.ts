/** Tags with an owner, through the page: refused to others, named in the refusal, carried by tokens, and warned about. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestBrowser } from '@meshwork/panel/testing';
import type { Look } from './chromium.ts';
import { LOOKS, photograph } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';

const SHOP = { team: 'shop', surface: '*', environment: '*' };
/** The policy of the scene lets laptops of every team reach git. */
const UNOWNED = /The policy uses the tag "role:laptop" beyond the boundary of the caller/;

let scene: Scene;
let shop: TestBrowser;
before(async () => {
  scene = await Scene.open();
  shop = await scene.panel.person(scene.session('owner'), { name: 'sam', role: 'owner', scope: SHOP });
});
after(() => scene[Symbol.asyncDispose]());

for (const look of LOOKS) {
  const { scheme, width } = look;
  test(`a person of another team sees who may set a tag (${scheme}, ${width} px)`, async () => {
    await using sam = await scene.signedIn(shop, look);
    await refusedRetag(sam, look);
    await refusedEnrolment(sam, look);
    await refusedToken(sam, look);
    assert.deepEqual(sam.faults, []);
  });

  test(`the policy editor warns of nodes that carry the tag already (${scheme}, ${width} px)`, async () => {
    await using grace = await scene.person('owner', look);
    await grace.opens('/access');
    // Behind the brace in the second line. The first may be wrapped, so arrow keys would not lead there.
    await grace.page.locator('.cm-line').nth(1).click();
    await grace.page.keyboard.press('End');
    await grace.page.keyboard.insertText(' "tag_owners": { "tag:role:gateway": ["scope:shop/*/*"] },');
    const warning = '1 node outside team shop carries the tag role:gateway: gw-1.';
    await grace.reads(warning);
    await grace.presses('Review and save');
    const review = grace.dialog('Review changes');
    await grace.reads(warning, review);
    await photograph(grace, 'owners-warning', look);
    await grace.presses('Cancel', review);
    assert.deepEqual(grace.faults, []);
  });
}

async function refusedRetag(person: Person, look: Look): Promise<void> {
  await person.opens(`/nodes/${scene.node('web-1').id}`);
  await person.chooses('Operations', 'Change tags');
  const dialog = person.dialog(/^Change the tags of web-1/);
  await person.adds('role:laptop', 'Tags', dialog);
  await person.presses('Change tags', dialog);
  await person.reads(UNOWNED, dialog);
  await photograph(person, 'owners-retag', look);
}

async function refusedEnrolment(person: Person, look: Look): Promise<void> {
  await person.goes('/nodes');
  await person.presses('Enrol a node');
  const dialog = person.dialog('Enrol a node');
  await dialog.getByLabel('Name').fill('laptop-sam');
  await person.adds('role:laptop', 'More tags', dialog);
  await person.presses('Generate command', dialog);
  await person.reads(UNOWNED, dialog);
  await photograph(person, 'owners-enrol', look);
}

async function refusedToken(person: Person, look: Look): Promise<void> {
  await person.goes('/tokens/new?for=enrolment');
  await person.adds('role:laptop', 'Tags it can set');
  await person.presses('Create token');
  await person.reads(UNOWNED);
  await photograph(person, 'owners-token', look);
}

test('a token carries the tags that its maker may set, and shows them', async () => {
  await using grace = await scene.person('owner');
  await grace.opens('/tokens/new?for=enrolment');
  await grace.field('Name').fill('laptops of shop');
  await grace.field('Team').fill('shop');
  await grace.adds('role:laptop', 'Tags it can set');
  await grace.presses('Create token');
  await grace.dialog().waitFor();
  const { items } = (await scene.client.call('tokens.list', { query: { q: 'laptops of shop' } })).body;
  assert.deepEqual(
    items.map(({ tags, scope }) => [tags, scope.team]),
    [[['role:laptop'], 'shop']],
  );
  const [token] = items;
  assert.ok(token !== undefined);
  for (const look of LOOKS) {
    await using reader = await scene.person('owner', look);
    await reader.opens(`/tokens/${token.id}`);
    await reader.reads('Tags it can set');
    await reader.reads('role:laptop');
    await photograph(reader, 'owners-token-page', look);
    await reader.goes('/tokens');
    await reader.reads('laptops of shop');
    await photograph(reader, 'owners-token-list', look);
  }
  assert.deepEqual(grace.faults, []);
});

test('the enrolment dialogue of the whole mesh gives its token the tags of the node', async () => {
  await using grace = await scene.person('owner');
  await grace.opens('/nodes');
  await grace.presses('Enrol a node');
  const dialog = grace.dialog('Enrol a node');
  await dialog.getByLabel('Name').fill('laptop-new');
  await grace.adds('role:laptop', 'More tags', dialog);
  await grace.presses('Generate command', dialog);
  await grace.reads('Waiting for laptop-new to join', dialog);
  const { items } = (await scene.client.call('tokens.list', { query: { q: 'enrol laptop-new' } })).body;
  assert.deepEqual(
    items.map(({ tags }) => tags),
    [['role:laptop']],
  );
  assert.deepEqual(grace.faults, []);
});
