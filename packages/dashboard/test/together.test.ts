/** Several people at once, services that restart, sessions that expire, and no request without need. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { WHOLE_MESH } from '@meshwork/contract';
import { PASSWORD } from '@meshwork/panel/testing';
import type { Route } from 'playwright-core';
import { declaredPages } from './declared-pages.ts';
import { Doorway } from './doorway.ts';
import { EVENTS, isStream, type Person } from './person.ts';
import { NAMES, Scene } from './scene.ts';
import { visitsOf } from './visits.ts';

let doorway: Doorway;
let front: Doorway;
let scene: Scene;
before(async () => {
  [doorway, front] = [await Doorway.open(), await Doorway.open()];
  const env = { MESH_COORDINATOR_URL: doorway.url, MESH_PANEL_URL: front.url };
  scene = await Scene.open({ authorities: true, env, doorway, front });
});
after(async () => {
  await scene[Symbol.asyncDispose]();
  await front[Symbol.asyncDispose]();
  await doorway[Symbol.asyncDispose]();
});

/** Adds a comment line at the top of the policy in the editor. */
async function comments(person: Person, text: string): Promise<void> {
  await person.page.locator('.cm-content').click();
  await person.page.keyboard.press('Control+Home');
  await person.page.keyboard.type(`// ${text}\n`);
  await person.reads('Unsaved, no problems');
}

async function saves(person: Person, why: string): Promise<void> {
  const dialog = person.dialog('Review changes');
  await dialog.getByLabel('Note').fill(why);
  await person.presses('Save policy', dialog);
}

/** A mark that a reload of the page removes. */
const mark = ({ page }: Person) => page.evaluate('window.marked = true');
const isMarked = ({ page }: Person) => page.evaluate('window.marked === true');

/** Receives all events of the mesh, and knows how long ago the last one was. */
function followed(): AsyncDisposable & { readonly quietMs: () => number } {
  const ending = new AbortController();
  let last = performance.now();
  const follow = async () => {
    for await (const _ of scene.client.events({}, { signal: ending.signal })) last = performance.now();
  };
  const over = follow().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return {
    quietMs: () => performance.now() - last,
    [Symbol.asyncDispose]: () => {
      ending.abort();
      return over;
    },
  };
}

describe('two people who edit the policy at once', () => {
  it('see the changes of the other, and keep their own', async () => {
    await using ada = await scene.person('operator');
    await using grace = await scene.person('owner');
    for (const person of [ada, grace]) await person.opens('/access');
    await comments(ada, 'what ada wants');
    await comments(grace, 'what grace wants');
    // Both look at what they would change, and neither knows of the other.
    for (const person of [ada, grace]) {
      await person.presses('Review and save');
      await person.dialog('Review changes').getByRole('tab', { name: 'Changed lines' }).click();
    }
    await saves(grace, 'grace was faster');
    await grace.reads('No changes');
    await saves(ada, 'ada was slower');
    const conflict = ada.dialog('The policy was changed');
    await ada.reads('// what grace wants', conflict);
    await ada.reads('grace was faster', conflict);
    await conflict.getByRole('tab', { name: 'Compare drafts' }).click();
    await ada.reads('// what ada wants', conflict);
    await ada.presses(/Merge/, conflict);
    const text = () => ada.page.locator('.cm-content').innerText();
    assert.match(await text(), /what ada wants/);
    assert.match(await text(), /what grace wants/);
    await ada.reads('Unsaved, no problems');
    await ada.presses('Review and save');
    await saves(ada, 'both');
    await ada.reads('No changes');
    const saved = (await scene.client.call('acls.show')).body.text;
    assert.match(saved, /what ada wants/);
    assert.match(saved, /what grace wants/);
    assert.deepEqual([ada.faults, grace.faults], [[], []]);
  });

  it('an unsaved draft is restored after a reload', async () => {
    await using ada = await scene.person('operator');
    ada.page.on('dialog', (dialog) => void dialog.accept()); // the browser asks whether one means to leave
    await ada.opens('/access');
    await comments(ada, 'not done yet');
    await ada.opens('/access');
    await ada.reads('This is your unsaved draft.');
    assert.match(await ada.page.locator('.cm-content').innerText(), /not done yet/);
  });
});

describe('a page that is open', () => {
  it('reports that the coordinator is unreachable, and recovers by itself', async () => {
    await using ada = await scene.person('operator');
    await ada.opens('/nodes');
    await ada.isLive();
    await mark(ada);
    const banner = ada.page.getByText('Coordinator unreachable', { exact: true });
    doorway.shut();
    await scene.panel.coordinator.down();
    await banner.waitFor();
    await scene.panel.coordinator.up();
    doorway.leadTo(scene.panel.coordinator.url);
    await banner.waitFor({ state: 'hidden' });
    await ada.isLive();
    // The stream goes on too: what happens now is seen.
    await using grace = await scene.person('owner');
    await grace.opens('/firewall');
    await ada.page.getByRole('link', { name: 'Events' }).click();
    await grace.page.getByRole('switch', { name: 'Rule 3 is enabled' }).click({ force: true });
    await ada.reads(/firewall\./);
    assert.equal(await isMarked(ada), true, 'nothing was loaded anew');
  });

  it('survives a restart of the panel, and so does the session', async () => {
    await using ada = await scene.person('operator');
    await ada.opens('/nodes');
    await ada.isLive();
    await mark(ada);
    await scene.panel.down();
    front.shut();
    // The page itself says so too, if it was just about to read something.
    const unreachable = ada.page.getByText('Panel unreachable', { exact: true }).first();
    await unreachable.waitFor();
    const { port } = await scene.panel.up();
    front.leadTo(`http://127.0.0.1:${port}`);
    await unreachable.waitFor({ state: 'hidden' });
    await ada.isLive();
    await ada.page.getByRole('link', { name: 'Tokens' }).click();
    await ada.reads('prometheus');
    assert.equal(await isMarked(ada), true);
  });

  it('shows what happened between its first reading and the opening of the stream', async () => {
    await using ada = await scene.person('operator');
    const opening = Promise.withResolvers<void>();
    const held = async (route: Route) => {
      await opening.promise;
      await route.continue();
    };
    await ada.page.route(({ pathname }) => pathname === EVENTS, held, { times: 1 });
    await ada.opens('/tokens');
    await ada.reads('prometheus');
    const name = 'made in between';
    const expires = scene.panel.coordinator.inDays(30);
    await scene.client.call('tokens.create', { body: { name, role: 'viewer', scope: WHOLE_MESH, expires } });
    assert.equal(await ada.page.getByText(name, { exact: true }).count(), 0, 'it does not know yet');
    opening.resolve();
    await ada.reads(name);
    await ada.isLive();
  });

  it('sends no requests while nothing happens', async () => {
    /** These show what heartbeats bring without an event: load, health, connections, the path of a link, what a WAF finds, and how far an order is. */
    const LOOKING: ReadonlySet<string> = new Set([
      '/relays',
      '/relays/$name',
      '/links/$a/$b',
      '/ingress',
      '/ingress/$id',
      '/given-certificates',
      '/given-certificates/$id',
      '/waf',
      '/waf/$id',
      '/waf/events',
      '/outside-authorities',
      '/outside-authorities/$id',
    ]);
    const QUIET_MS = 5_000;
    const TRIES = 3;
    await using mesh = followed();
    const people = await Promise.all(
      visitsOf(declaredPages())
        .filter(({ name, page }) => name === (visitsOf([page])[0]?.name ?? name) && !LOOKING.has(page))
        .map(async ({ name, path }) => ({ name, path: await path(scene), person: await scene.person('owner') })),
    );
    try {
      for (const { person, path } of people) await person.opens(path);
      const asked: string[] = [];
      for (const { name, person } of people) {
        person.page.on('request', (request) => {
          if (!isStream(request)) asked.push(`${name}: ${request.method()} ${request.url()}`);
        });
      }
      // Things happen by themselves too, such as a word about a token that ends soon: the time that is looked at is one
      // without any, and not right after one, when pages still read. One that took long to read rests three times as long
      // before it reads what changed meanwhile, so that counts only if it goes on.
      for (let left = TRIES; left > 0; left -= 1) {
        let since: number;
        do {
          while (mesh.quietMs() < QUIET_MS) await setTimeout(QUIET_MS - mesh.quietMs());
          asked.length = 0;
          since = performance.now();
          await setTimeout(QUIET_MS);
        } while (mesh.quietMs() < performance.now() - since);
        if (asked.length === 0) break;
      }
      assert.deepEqual(asked, []);
    } finally {
      await Promise.all(people.map(({ person }) => person[Symbol.asyncDispose]()));
    }
  });

  // The last one: the time that passes is everybody's.
  it('signs out after too long without activity, and returns to the same page after sign-in', async () => {
    await using ada = await scene.person('operator');
    await ada.opens('/tokens?q=prom');
    await ada.reads('prometheus');
    // The time passes when they have gone on already: before that, the end of the stream would lead to the sign-in too.
    const passes = async (route: Route) => {
      scene.panel.clock.advance(61 * 60);
      await route.continue();
    };
    await ada.page.route(({ pathname }) => pathname === '/api/v1/coordinator/auth/roles', passes, { times: 1 });
    await ada.page.getByRole('link', { name: 'Roles' }).click();
    await ada.sees('Sign in');
    await ada.signIn(NAMES.operator, PASSWORD);
    await ada.sees('Roles');
    await ada.page.goBack();
    await ada.sees('Tokens');
    assert.deepEqual(ada.faults, []);
  });
});
