/** Set-up, sign-in, invitations, authenticators, passkeys and step-up, in a browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PASSWORD, TestPanel } from '@meshwork/panel/testing';
import { TOTP } from 'otpauth';
import { Chromium } from './chromium.ts';
import { photographBusy } from './looks.ts';
import { Person } from './person.ts';

let chromium: Chromium;
before(async () => {
  chromium = await Chromium.start();
});
after(() => chromium?.[Symbol.asyncDispose]());

async function visitor({ url }: TestPanel): Promise<Person> {
  return await Person.at(url, await chromium.person());
}

/** Becomes the first owner, and sees the overview. */
async function setUp(person: Person, panel: TestPanel): Promise<void> {
  await person.opens(`/setup#${panel.setup_code}`);
  await person.field('User name').fill('grace');
  await person.field('New password').fill(PASSWORD);
  await person.field('Repeat password').fill(PASSWORD);
  await person.presses('Create owner account');
  await person.sees('Overview');
}

/** A panel of its own, set up by the visitor, who is signed in. */
async function withOwner(story: (owner: Person, panel: TestPanel) => Promise<void>): Promise<void> {
  const panel = await TestPanel.start();
  try {
    await using owner = await visitor(panel);
    await setUp(owner, panel);
    await story(owner, panel);
    assert.deepEqual(owner.faults, []);
  } finally {
    await panel.close();
  }
}

test('the first visit leads to the set-up, and its code does not stay in the address', async () => {
  const panel = await TestPanel.start();
  try {
    await using person = await visitor(panel);
    await person.opens('/');
    await person.sees('Set up Meshwork');
    await setUp(person, panel);
    assert.equal(person.page.url(), `${panel.url}/`);
    await person.isLive();
    assert.deepEqual(person.complaints, [], 'the content security policy holds');
  } finally {
    await panel.close();
  }
});

test('returns to the same page after signing in again', () =>
  withOwner(async (owner) => {
    await owner.page.getByRole('link', { name: 'People' }).click();
    await owner.sees('People');
    await owner.context.clearCookies();
    await owner.page.getByRole('link', { name: 'Roles' }).click();
    await owner.sees('Sign in');
    await owner.signIn('grace', PASSWORD);
    await owner.sees('Roles');
  }));

test('reports a wrong password, and keeps the typed name', () =>
  withOwner(async (owner) => {
    await owner.signOut();
    await owner.page.getByLabel('Name').fill('grace');
    await owner.page.locator('input[type=password]').fill('not the right one at all');
    await owner.presses('Sign in');
    await owner.reads('The name, password or code is incorrect');
    assert.equal(await owner.page.getByRole('textbox', { name: 'Name' }).inputValue(), 'grace');
  }));

test('an invited person opens the link, chooses a password, and sees what their role allows', () =>
  withOwner(async (owner, panel) => {
    panel.clock.advance(11 * 60); // the proof that came with the set-up is over
    await owner.opens('/people');
    await owner.presses('Invite');
    await owner.page.getByLabel('Name', { exact: false }).first().fill('ada');
    await owner.presses('Create invitation');
    await owner.page.getByRole('heading', { name: 'Confirm your identity' }).waitFor();
    await owner.page.locator('input[type=password]').fill(PASSWORD);
    await owner.presses('Confirm');
    await owner.reads('Invitation link');
    const link = await owner.page.locator('code').innerText();

    await using ada = await visitor(panel);
    await ada.page.goto(link);
    await ada.reads('User name');
    await ada.page.getByLabel('New password').fill('quiet maple orbits seven');
    await ada.page.getByLabel('Repeat password').fill('quiet maple orbits seven');
    await ada.presses('Sign in');
    await ada.sees('Overview');
    assert.equal(
      await ada.page.getByRole('link', { name: 'People', exact: true }).count(),
      0,
      'a viewer has no use for it',
    );
    await ada.opens('/people');
    await ada.reads('Your role does not allow this');
    assert.deepEqual(ada.faults, []);
  }));

test('an authenticator is set up, required at sign-in, and replaced by a recovery code', () =>
  withOwner(async (owner, panel) => {
    const { page } = owner;
    await owner.opens('/profile');
    await owner.presses('Set up');
    await owner.reads('Scan this');
    const secret = (await page.getByRole('dialog').innerText()).match(/\b[A-Z2-7]{32}\b/)?.[0];
    assert.ok(secret !== undefined, 'the secret can be read, where nothing can be scanned');
    const totp = new TOTP({ secret });
    const code = () => totp.generate({ timestamp: panel.clock.now() });
    await page.getByLabel('Code from the app').fill(code());
    await owner.presses('Turn on');
    await owner.reads('Recovery codes, in case');
    const [recovery] = (await page.locator('code').innerText()).split('\n');
    await owner.presses('I have saved them');
    await owner.signOut();

    panel.clock.advance(60); // each code is good once
    await owner.signIn('grace', PASSWORD);
    await owner.sees('Two-step verification');
    await page.getByLabel('Authenticator code').fill(code());
    await owner.presses('Continue');
    await owner.sees('Overview');
    await owner.signOut();

    await owner.signIn('grace', PASSWORD);
    await owner.presses('Use a recovery code');
    await page.getByLabel('Recovery code').fill(recovery ?? '');
    await owner.presses('Continue');
    await owner.sees('Overview');
  }));

test('a passkey signs in without a password', () =>
  withOwner(async (owner) => {
    const devtools = await owner.context.newCDPSession(owner.page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await owner.opens('/profile');
    await owner.page.getByLabel('Passkey name').fill('laptop');
    await owner.presses('Add a passkey');
    await owner.reads('never used');
    await owner.signOut();
    await owner.presses('Use a passkey');
    await owner.sees('Overview');
    await owner.opens('/profile');
    await owner.reads('last used');
  }));

test('a table is usable by keyboard alone', () =>
  withOwner(async (owner, panel) => {
    const grace = await panel.signIn('grace');
    await panel.person(grace, { name: 'ada' });
    await owner.opens('/people');
    const rows = owner.page.getByRole('table', { name: 'People' }).getByRole('row');
    await rows.nth(1).focus();
    await owner.page.keyboard.press('ArrowDown');
    await owner.page.keyboard.press('Enter');
    await owner.sees('ada');
    await owner.page.waitForFunction('document.activeElement?.tagName === "H1"'); // where a screen reader goes on
  }));

test('a sensitive action requires a step-up, focuses the password, and continues with what was typed', () =>
  withOwner(async (owner, panel) => {
    const proves = async () => {
      const dialog = owner.dialog('Confirm your identity');
      await dialog.waitFor();
      await photographBusy(owner, 'confirm-identity');
      await dialog.locator('input[type=password]:focus').waitFor();
      await owner.page.keyboard.type(PASSWORD);
      await owner.page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      panel.clock.advance(11 * 60); // and the next one asks anew
    };
    panel.clock.advance(11 * 60); // the proof that came with the set-up is over
    await owner.opens('/tokens/new');
    await owner.page.getByRole('radio', { name: /^Monitoring/ }).click();
    await owner.field('Name').fill('grafana');
    await owner.presses('Create token');
    await proves();
    const made = owner.dialog('Token created');
    assert.match(await made.locator('code').first().innerText(), /^mesh_/);
    await owner.presses('I have stored it', made);
    await owner.sees('grafana');

    await owner.opens('/roles/new');
    await owner.field('Name').fill('night-shift');
    await owner.presses('Create role');
    await proves();
    await owner.sees('night-shift');

    assert.equal((await panel.coordinator.ask('GET', '/v1/auth/roles/night-shift')).status, 200);
  }));

test('Escape closes the topmost dialog alone', () =>
  withOwner(async (owner, panel) => {
    panel.clock.advance(11 * 60); // the proof that came with the set-up is over
    await owner.opens('/people');
    await owner.presses('Invite');
    await owner.page.getByRole('textbox', { name: 'Name', exact: true }).fill('ada');
    await owner.presses('Create invitation');
    const proof = owner.page.getByRole('heading', { name: 'Confirm your identity' });
    await proof.waitFor();
    await owner.page.keyboard.press('Escape');
    await proof.waitFor({ state: 'hidden' });
    assert.equal(await owner.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'ada');
  }));
