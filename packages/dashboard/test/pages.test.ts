/** Every page, in both colour schemes and at three widths: no browser error, no accessibility violation, no sideways scrolling. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestPanel } from '@meshwork/panel/testing';
import type { Page } from 'playwright-core';
import { axeFaults } from './axe.ts';
import type { Look } from './chromium.ts';
import { declaredPages } from './declared-pages.ts';
import { standingOut } from './layout.ts';
import { Person } from './person.ts';
import { Scene } from './scene.ts';
import { photograph } from './screenshots.ts';
import { visitsOf } from './visits.ts';

const WIDTHS = [1440, 390, 2560] as const;
const SCHEMES = ['light', 'dark'] as const;
const LOOKS: readonly Look[] = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => ({ scheme, width })));
/** Where axe looks: at everything, wide and narrow, and once more at the colours of the other scheme. */
async function axeLooks(page: Page, { scheme, width }: Look): Promise<readonly string[]> {
  if (scheme === 'light') return width === 2560 ? [] : await axeFaults(page, 'everything');
  return width === 1440 ? await axeFaults(page, 'colours') : [];
}
const HEIGHT = 900;
const NOWHERE = { name: 'nowhere', path: () => '/nowhere' };
/** Expected browser errors: a node or an invitation that does not exist. */
const NOT_FOUND = 'console: Failed to load resource: the server responded with a status of 404 (Not Found)';
const UNAUTHORIZED = 'console: Failed to load resource: the server responded with a status of 401 (Unauthorized)';

let scene: Scene;
let owner: Person;
before(async () => {
  scene = await Scene.open({ authorities: true });
  owner = await scene.person('owner');
});
after(() => scene[Symbol.asyncDispose]());

describe('a page that needs a session', { concurrency: 2 }, () => {
  for (const { name, path } of [...visitsOf(declaredPages()), NOWHERE]) {
    it(`${name} is accessible at every width and in both colour schemes`, async () => {
      await using person = await owner.tab();
      await person.opens(await path(scene));
      assert.equal(await person.page.locator('h1').count(), 1, 'it has one title');
      assert.match(await person.page.title(), /^\S.* · Meshwork$/);
      assert.deepEqual(await reachesTheContent(person), [true, true], 'the keyboard gets past the navigation');
      await looksRight(person, name, name === 'node-none' ? [NOT_FOUND] : []);
    });
  }
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
  const wrong: string[] = [];
  for (const look of LOOKS) {
    const { scheme, width } = look;
    await person.page.setViewportSize({ width, height: HEIGHT });
    await person.page.emulateMedia({ colorScheme: scheme });
    await person.settled();
    const faults = [...(await standingOut(person.page)), ...(await axeLooks(person.page, look))];
    wrong.push(...faults.map((fault) => `${scheme} ${width}: ${fault}`));
    await photograph(person.page, name, look);
  }
  // A page that is refreshed by an event gets the same response again.
  assert.deepEqual([...wrong, ...new Set(person.complaints)], said);
}

/** By Tab to the skip link, by it to the content, and by Tab on to something in it. */
async function reachesTheContent({ page }: Person): Promise<readonly [boolean, boolean]> {
  await page.keyboard.press('Tab');
  const skips = (await page.evaluate(`document.activeElement?.getAttribute('href') === '#main'`)) as boolean;
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const inside = (await page.evaluate(
    `document.querySelector('#main')?.contains(document.activeElement) === true`,
  )) as boolean;
  await page.evaluate('document.activeElement?.blur()');
  return [skips, inside];
}
