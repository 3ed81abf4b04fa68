/** Attacks on the panel in a browser: injected markup, cross-site requests, stolen and fixed sessions, DNS rebinding. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiError } from '@meshwork/client';
import { PASSWORD } from '@meshwork/panel/testing';
import { declaredPages } from './declared-pages.ts';
import { enrol, HOSTILE_NODE, MARKUP, spreadMarkup } from './markup.ts';
import { OtherSite } from './other-site.ts';
import type { Person } from './person.ts';
import { NAMES, Scene } from './scene.ts';
import { until } from './until.ts';
import { visitsOf } from './visits.ts';

let scene: Scene;
before(async () => {
  scene = await Scene.open({ authorities: true });
});
after(() => scene[Symbol.asyncDispose]());

describe('markup in text that another person wrote', () => {
  let owner: Person;
  const dialogs: string[] = [];
  before(async () => {
    await spreadMarkup(scene);
    owner = await scene.person('owner');
    owner.context.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  });
  after(() => owner[Symbol.asyncDispose]());

  it('is refused in names', async () => {
    const refused = (error: unknown) => error instanceof ApiError && error.status === 422;
    await assert.rejects(enrol(scene, { name: '<b>' }), refused);
    await assert.rejects(enrol(scene, { name: 'fine', tags: ['<b>'] }), refused);
    await assert.rejects(enrol(scene, { name: 'fine', agent_version: '<b>' }), refused);
    await assert.rejects(scene.client.call('roles.create', { body: { name: '<b>', permissions: [] } }), refused);
    const body = { name: '<b>', role: 'viewer', scope: { team: '*', surface: '*', environment: '*' } };
    assert.equal((await scene.session('owner').ask('POST', '/api/v1/users', { body })).status, 422);
  });

  for (const { name, path } of visitsOf(declaredPages())) {
    it(`is shown as text on ${name}`, () => isHarmless(path));
  }

  it('is shown as text on the detail pages of what carries it', async () => {
    const { client } = scene;
    const token = (await client.call('tokens.list', { query: { q: 'onerror' } })).body.items[0];
    const node = (await client.call('nodes.list', { query: { q: HOSTILE_NODE } })).body.items[0];
    const person = (await scene.session('owner').must<{ items: { id: string }[] }>(200, 'GET', '/api/v1/users?q=vera'))
      .items[0];
    const entry = (await client.call('audit.list', { query: { action: 'firewall.create', limit: 1 } })).body.items[0];
    for (const [path, isRead] of [
      [`/tokens/${token?.id}`, true],
      ['/tokens', true],
      [`/people/${person?.id}`, true],
      ['/people', true],
      ['/roles/odd', false],
      ['/roles', true],
      ['/access/versions', true],
      ['/access/versions/2', true],
      ['/firewall', true],
      ['/names', true],
      [`/nodes/${node?.id}`, true],
      [`/audit/${entry?.id}`, false],
    ] as const) {
      await isHarmless(() => path, isRead);
    }
  });

  /** No script ran, no element was created, and the text reads as it was written. */
  async function isHarmless(path: (scene: Scene) => Promise<string> | string, isRead = false): Promise<void> {
    await owner.goes(await path(scene));
    if (isRead) await owner.page.getByText(MARKUP).first().waitFor({ state: 'attached' });
    assert.equal(await owner.page.evaluate('window.hacked'), undefined);
    assert.equal(await owner.page.locator('img[src="x"], script:not([src])').count(), 0);
    assert.deepEqual([dialogs, owner.faults], [[], []]);
  }
});

describe('a page of another site', () => {
  it('cannot show the panel in a frame', async () => {
    await using site = await OtherSite.open(`<iframe src="${scene.url}/nodes"></iframe>`);
    await using victim = await scene.person('owner');
    for (const host of ['localhost', '127.0.0.1'] as const) {
      await victim.page.goto(site.url(host));
      const frames = () => victim.page.frames().filter((one) => one !== victim.page.mainFrame());
      await until('the frame was refused', () => frames().some((one) => one.url().startsWith('chrome-error:')));
      await until('the browser said why', () => /frame-ancestors|X-Frame-Options/.test(victim.complaints.join('\n')));
    }
  });

  it('can neither change nor read anything with the cookies of its visitor', async () => {
    await using site = await OtherSite.open('<p>Win a prize</p>');
    await using victim = await scene.person('operator');
    const read = () => scene.session('operator').must<{ appearance: string }>(200, 'GET', '/api/v1/profile');
    const { appearance } = await read();
    for (const host of ['localhost', '127.0.0.1'] as const) {
      await victim.page.goto(site.url(host));
      const tried = await victim.page.evaluate(attempts(scene.url));
      assert.deepEqual(tried, ['refused', 'refused', 'refused', 'refused'], host);
      await victim.page.evaluate(formPost(`${scene.url}/api/v1/auth/logout`));
      await victim.page.waitForURL(`${scene.url}/api/v1/auth/logout`);
      assert.match(await victim.page.content(), /origin_refused|sign_in_required/);
      assert.equal((await read()).appearance, appearance, 'nothing has changed, and they are still signed in');
    }
  });
});

/** A simple write, a write that needs a preflight, a write with a forged CSRF token, and a read. */
function attempts(url: string): string {
  return `(async () => {
    const to = (path) => ${JSON.stringify(url)} + path;
    const tried = async (path, init) => {
      try {
        const answer = await fetch(to(path), { credentials: 'include', ...init });
        return answer.type + answer.status;
      } catch { return 'refused'; }
    };
    return [
      await tried('/api/v1/auth/logout', { method: 'POST', mode: 'no-cors', body: '{}' }),
      await tried('/api/v1/profile', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"appearance":"dark"}' }),
      await tried('/api/v1/auth/logout', { method: 'POST', headers: { 'x-csrf-token': 'made-up' }, body: '{}' }),
      await tried('/api/v1/auth/session', {}),
    ];
  })()`;
}

/** Sends a body that parses as JSON, which a form can do. */
function formPost(action: string): string {
  return `(() => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'POST', action: ${JSON.stringify(action)}, enctype: 'text/plain' });
    const field = document.createElement('input');
    Object.assign(field, { name: '{"a":"', value: '"}' });
    form.append(field);
    document.body.append(form);
    form.submit();
  })()`;
}

describe('a session', () => {
  const SECOND = 'another quiet copper harbour';
  const isAlive = async (cookie: string) => {
    const browser = scene.panel.browser();
    browser.cookies.set('mesh_session', cookie);
    return (await browser.state()).state === 'signed_in';
  };
  /** Signs in through the page, and returns the cookie that an attacker would steal. */
  async function signedIn(password = PASSWORD): Promise<{ person: Person; stolen: string }> {
    const person = await scene.stranger();
    await person.opens('/sign-in');
    await person.signIn(NAMES.auditor, password);
    await person.sees('Overview');
    const stolen = (await person.context.cookies()).find(({ name }) => name === 'mesh_session')?.value;
    assert.ok(stolen !== undefined);
    return { person, stolen };
  }

  it('is not readable by scripts, and is invalid after its owner signs out', async () => {
    const { person, stolen } = await signedIn();
    await using _ = person;
    assert.equal(await person.page.evaluate('document.cookie'), '');
    const kept = await person.page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    assert.ok(!String(kept).includes(stolen));
    assert.equal(await isAlive(stolen), true);
    await person.signOut();
    assert.equal(await isAlive(stolen), false);
  });

  it('ends in every tab at once', async () => {
    const { person } = await signedIn();
    await using _ = person;
    await using other = await person.tab();
    await other.opens('/nodes');
    await other.isLive();
    await person.signOut();
    await other.sees('Sign in');
  });

  it('ends when its owner signs out everywhere else, or changes the password there', async () => {
    const first = await signedIn();
    await using _ = first.person;
    const second = await signedIn();
    await using owner = second.person;
    await owner.opens('/profile');
    await owner.presses('Sign out everywhere else');
    await owner.presses('End sessions', owner.dialog());
    await until('the stolen one is dead', async () => !(await isAlive(first.stolen)));
    assert.equal(await isAlive(second.stolen), true);

    const third = await signedIn();
    await using __ = third.person;
    await owner.page.getByLabel('Current password').fill(PASSWORD);
    await owner.page.getByLabel('New password').fill(SECOND);
    await owner.page.getByLabel('Repeat password').fill(SECOND);
    const changed = owner.page.waitForResponse(`${scene.url}/api/v1/profile/password`);
    await owner.presses('Change password');
    await until('the stolen one is dead', async () => !(await isAlive(third.stolen)));
    await until('so is the cookie from before', async () => !(await isAlive(second.stolen)));
    await changed; // by then the browser has its new cookie
    await owner.opens('/nodes');
    await owner.sees('Nodes');
    assert.deepEqual(owner.faults, []);
  });

  it('refuses the CSRF token of another session', async () => {
    const [one, other] = [await scene.panel.signIn(NAMES.viewer), await scene.panel.signIn(NAMES.viewer)];
    const refused = await one.ask('PATCH', '/api/v1/profile', {
      body: { appearance: 'dark' },
      headers: { 'x-csrf-token': other.csrf },
    });
    assert.deepEqual([refused.status, refused.body.code], [403, 'csrf_failed']);
    await one.must(200, 'PATCH', '/api/v1/profile', { body: { appearance: 'auto' } });
  });
});

it('refuses a foreign host name that resolves to the panel', async () => {
  await using person = await scene.person('owner');
  const url = new URL('/nodes', scene.url);
  url.hostname = 'evil.localhost'; // which browsers take for this machine
  const answer = await person.page.goto(url.href);
  assert.equal(answer?.status(), 403);
  assert.match(await person.page.content(), /origin_refused/);
});

it('does not redirect to another site after sign-in', async () => {
  for (const wanted of [
    '//evil.example/',
    '/\\evil.example/',
    'https://evil.example/',
    '/\t/evil.example/',
    'javascript:window.hacked=1',
  ]) {
    await using person = await scene.stranger();
    await person.opens(`/sign-in?return_to=${encodeURIComponent(wanted)}`);
    await person.signIn(NAMES.operator, PASSWORD);
    await person.page.getByRole('button', { name: /^Account of/ }).waitFor();
    assert.equal(new URL(person.page.url()).origin, scene.url, wanted);
    assert.equal(await person.page.evaluate('window.hacked'), undefined);
    assert.deepEqual(person.faults, []);
  }
});
