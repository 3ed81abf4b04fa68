/** Every page, in both colour schemes and at three widths, reached as links lead there: no browser error, no accessibility violation, no sideways scrolling. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestPanel } from '@meshwork/panel/testing';
import { declaredPages } from './declared-pages.ts';
import { standingOut } from './layout.ts';
import { faultsOfLooks, photograph, takes, WIDEST } from './looks.ts';
import { Person } from './person.ts';
import { Scene } from './scene.ts';
import { visitsOf } from './visits.ts';

const NOWHERE = { name: 'nowhere', path: () => '/nowhere' };
/** Expected browser errors: a node, a relay or an invitation that does not exist. */
const NOT_FOUND = 'console: Failed to load resource: the server responded with a status of 404 (Not Found)';
const UNAUTHORIZED = 'console: Failed to load resource: the server responded with a status of 401 (Unauthorized)';
/** Whether the keyboard is in the content of the page. */
const IN_CONTENT = `document.querySelector('#main')?.contains(document.activeElement) === true`;

let scene: Scene;
let owner: Person;
before(async () => {
  scene = await Scene.open({ authorities: true });
  owner = await scene.person('owner');
  await owner.opens('/profile');
});
after(() => scene[Symbol.asyncDispose]());

describe('a page that needs a session', () => {
  for (const { name, path } of [...visitsOf(declaredPages()), NOWHERE]) {
    it(`${name} is accessible at every width and in both colour schemes`, async () => {
      await owner.goes(await path(scene));
      assert.equal(await owner.page.locator('h1').count(), 1, 'it has one title');
      assert.match(await owner.page.title(), /^\S.* · Meshwork$/);
      assert.equal(await owner.page.evaluate(IN_CONTENT), true, 'the keyboard goes on in the content');
      await looksRight(
        owner,
        name,
        /^(?:node|relay|link|ingress|waf-policy|waf-event|given-certificate|outside-authority)-none$/.test(name)
          ? [NOT_FOUND]
          : [],
      );
    });
  }
});

it('the keyboard gets past the navigation of a page that was just opened', async () => {
  await using person = await owner.tab();
  await person.opens('/nodes');
  await person.page.keyboard.press('Tab');
  assert.equal(await person.page.evaluate(`document.activeElement?.getAttribute('href')`), '#main');
  await person.page.keyboard.press('Enter');
  await person.page.keyboard.press('Tab');
  assert.equal(await person.page.evaluate(IN_CONTENT), true);
});

describe('a page without a session', () => {
  it('sign-in', () => forStrangers(scene.url, 'sign-in', '/sign-in'));

  it('an invitation', async () => {
    const body = { name: 'new', role: 'viewer', scope: { team: '*', surface: '*', environment: '*' } };
    const { code } = await scene.session('owner').must<{ code: string }>(201, 'POST', '/api/v1/users', { body });
    await forStrangers(scene.url, 'invitation', `/invitation#${code}`);
  });

  it('an invitation that does not exist', () =>
    forStrangers(scene.url, 'invitation-wrong', '/invitation#wrong', [UNAUTHORIZED]));

  it('the set-up', async () => {
    const panel = await TestPanel.start();
    try {
      await forStrangers(panel.url, 'setup', `/setup#${panel.setup_code}`);
    } finally {
      await panel.close();
    }
  });

  async function forStrangers(url: string, name: string, path: string, said: readonly string[] = []): Promise<void> {
    await using person = await Person.at(url, await scene.chromium.person());
    await person.opens(path);
    assert.equal(await person.page.locator('h1').count(), 1);
    assert.match(await person.page.title(), /Meshwork/);
    await looksRight(person, name, said);
  }
});

async function looksRight(person: Person, name: string, said: readonly string[] = []): Promise<void> {
  await takes(person, WIDEST);
  await photograph(person, name, WIDEST);
  const wrong = [...(await standingOut(person.page)), ...(await faultsOfLooks(person, name))];
  // A page that is refreshed by an event gets the same response again.
  assert.deepEqual([...wrong, ...new Set(person.complaints.splice(0))], said);
}
