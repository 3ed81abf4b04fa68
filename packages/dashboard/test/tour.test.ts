/**
 * The first five minutes of a newcomer, from what the demo prints, by what is on the screen. `npm run tour` takes the
 * pictures of docs/tour.md on the way.
 */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { Chromium } from './chromium.ts';
import { Person } from './person.ts';
import { StartedDemo } from './started-demo.ts';

/** Where the pictures go, from the top of the repository. Absent: none are taken. */
const PICTURES = process.env.MESH_TOUR_PICTURES;
const WIDTH = 1280;
const HEIGHT = 1100;

let demo: StartedDemo;
let chromium: Chromium;
let ada: Person;
before(async () => {
  // Pictures have the addresses that a newcomer sees.
  const usualPorts = PICTURES !== undefined;
  [demo, chromium] = await Promise.all([StartedDemo.start({ usualPorts }), Chromium.start()]);
  const viewport = { width: WIDTH, height: HEIGHT };
  ada = await Person.at(demo.printed.panel_url, await chromium.person({}, { viewport }));
});
after(async () => {
  await chromium?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

/** Of one thing, or of the whole width of the screen as far down as is said. */
async function picture(name: string, what: Locator | number): Promise<void> {
  if (PICTURES === undefined) return;
  const folder = resolve(import.meta.dirname, '../../..', PICTURES);
  await mkdir(folder, { recursive: true });
  await ada.drawn();
  // A page asks again by itself when the mesh changes, which it does all the time in the demo.
  await ada.page.locator('[data-loading]').first().waitFor({ state: 'detached' });
  const options = { path: join(folder, `${name}.png`), animations: 'disabled' } as const;
  if (typeof what === 'number') {
    await ada.page.screenshot({ ...options, clip: { x: 0, y: 0, width: WIDTH, height: what } });
  } else {
    await what.screenshot(options);
  }
}

const goesTo = async (section: string, title = section) => {
  await ada.page.getByRole('navigation').getByRole('link', { name: section, exact: true }).click();
  await ada.sees(title);
};

test('the printed code makes the first owner, who sees the whole mesh', async () => {
  await ada.opens(`/setup#${demo.printed.setup_code}`);
  await ada.page.getByLabel('User name').fill('ada');
  await ada.page.getByLabel('New password').fill('correct zebra lantern gravel');
  await ada.page.getByLabel('Repeat password').fill('correct zebra lantern gravel');
  await picture('1-set-up', ada.page.locator('.mantine-Paper-root').first());
  await ada.presses('Create owner account');
  await ada.sees('Overview');
  await ada.reads('Node laptop-zoe is waiting for approval');
  await ada.isLive();
  if (PICTURES !== undefined) await ada.reads('Heartbeat of node etl-2 is overdue'); // appears after a while, and belongs in the picture
  await ada.settled();
  await picture('2-overview', 860);
});

test('a node joins with what the dialogue gives, while one looks on', async () => {
  await goesTo('Nodes');
  await ada.presses('Enrol a node');
  const dialog = ada.dialog('Enrol a node');
  await dialog.getByLabel('Name').fill('desk-1');
  await dialog.getByLabel('Team').fill('platform');
  await dialog.getByLabel('Environment').fill('production');
  await ada.presses('Generate command', dialog);
  await ada.reads('Waiting for desk-1 to join', dialog);
  await picture('3-enrol', dialog);
  const simulated = dialog.locator('code').filter({ hasText: 'fleet --name desk-1' });
  demo.pastes(await simulated.innerText());
  await ada.reads(/desk-1 joined, with the address 100\.64\./, dialog);
  await dialog.getByText('Waiting for its first heartbeat').waitFor({ state: 'hidden' });
  await picture('4-joined', dialog);
  await dialog.getByRole('link', { name: 'Open desk-1' }).click();
  await ada.sees('desk-1');
  await ada.reads('Active');
});

async function asksWhy(): Promise<void> {
  await ada.page.getByRole('link', { name: 'Why can’t A reach B?' }).click();
  await ada.sees('Reach');
  await ada.field('From').fill('desk-1');
  await ada.field(/^To/).fill('ci-1');
  await ada.field('Port').fill('8093');
  await ada.presses('Ask');
}

test('a denial says where it ends and what would help, and that leads to a grant', async () => {
  await asksWhy();
  await ada.reads('No grant lets desk-1 reach ci-1 on tcp:8093.');
  await ada.settled();
  await picture('5-denied', 900);
  await ada.page.getByRole('link', { name: 'Open in the policy editor' }).first().click();
  await ada.presses('Add to policy', ada.dialog());
  await ada.reads('Unsaved, no problems');
  await ada.presses('Review and save');
  const review = ada.dialog('Review changes');
  await ada.reads('tcp:8093', review);
  await review.getByLabel('Note').fill('the desk watches the builds');
  await picture('6-preview', 500);
  await ada.presses('Save policy', review);
  await ada.reads('Version 2 is in effect');
  await asksWhy();
  await ada.page.locator('[data-verdict="allowed"]').waitFor();
  await ada.reads('desk-1 may reach ci-1 on tcp:8093.');
  await ada.settled();
  await picture('7-allowed', 450);
});

test('a grant that a test of the policy forbids is not saved, and the test says why', async () => {
  await goesTo('Policy');
  await ada.presses('Add grant');
  const dialog = ada.dialog('Add grant');
  await ada.field('From', dialog).fill('laptops');
  await ada.field('To', dialog).fill('databases');
  await ada.adds('tcp:5432', 'Allow', dialog);
  await ada.presses('Add to policy', dialog);
  await ada.reads('Unsaved, 1 test fails');
  await ada.reads('group:laptops must not reach group:databases:tcp:5432');
  assert.equal(await ada.page.getByRole('button', { name: 'Review and save' }).isDisabled(), true);
  await ada.presses('Discard');
  await ada.presses('Discard', ada.dialog());
  await ada.reads('No changes');
});

test('a token is made and rotated, and the trail says by whom', async () => {
  await goesTo('Tokens');
  await ada.reads('Used up', ada.page.getByRole('row').filter({ hasText: 'enrol desk-1' }));
  await ada.page.getByRole('link', { name: 'New token' }).first().click();
  await ada.page.getByRole('radio', { name: /^Monitoring/ }).click();
  await ada.field('Name').fill('prometheus');
  await ada.presses('Create token');
  await ada.presses('I have stored it', ada.dialog('Token created'));
  await ada.sees('prometheus');
  await ada.presses('Rotate prometheus');
  const dialog = ada.dialog('Rotate prometheus');
  await ada.presses('Rotate', dialog);
  await ada.reads('The old secret expires', dialog);
  await picture('8-rotated', dialog);
  await ada.presses('I have stored it', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await goesTo('Audit');
  const entry = ada.page.getByRole('row').filter({ hasText: 'tokens.rotate' });
  await ada.reads('ada', entry);
  await ada.settled();
  await picture('9-audit', 740);
  assert.deepEqual(ada.faults, []);
});
