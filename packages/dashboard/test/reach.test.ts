/** Trying what an explanation says, on the page, with nodes that answer as agents do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Explanation, OPERATIONS, type Overview, type SelfCheck } from '@meshwork/contract';
import { type Answers, heard, type ProbedNode, probedPair } from '@meshwork/panel/testing';
import type { Locator } from 'playwright-core';
import { faultsOfLooks } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';

const QUESTION = '/reach?from=laptop-1&to=git-1&port=tcp:22';
const POLICY = {
  groups: { everyone: ['*'] },
  grants: [{ from: 'everyone', to: 'everyone', allow: ['tcp:22'], within: 'boundary' }],
};

let scene: Scene;
let laptop: ProbedNode;
let git: ProbedNode;
before(async () => {
  scene = await Scene.open({ mesh: false });
  const names = ['laptop-1', 'git-1'] as const;
  [laptop, git] = await probedPair(scene.panel.coordinator, { names, policy: POLICY, tags: ['team:red'] });
});
after(async () => {
  await laptop?.stop();
  await git?.stop();
  await scene?.[Symbol.asyncDispose]();
});

/** The source gets this answer, and the other end sees so much of it. */
function happens(
  outcome: 'connected' | 'timed_out',
  seen: { readonly arrived: number; readonly passed: number },
): void {
  const verdict = 'inet mesh policy_in: counter name "denied_in" drop';
  laptop.answers = (probe) => (probe.attempt === undefined ? heard(probe) : { attempt: { outcome, took_ms: 7 } });
  const watching: Answers = (probe) => {
    if (probe.watch === undefined) return heard(probe);
    const dropped = seen.passed === 0 && seen.arrived > 0 ? { verdict } : {};
    return [
      { watch: { state: 'begun', arrived: 0, passed: 0 } },
      { watch: { state: 'ended', interface: 'mesh0', ...seen, ...dropped } },
    ];
  };
  git.answers = watching;
}

const button = ({ page }: Person) => page.getByRole('button', { name: 'Try it', exact: true });

/** Tries until the outcome compares like this: on a machine that stands still for a moment, nodes answer too late to be counted. */
async function tries(person: Person, wanted: 'agrees' | 'disagrees' | 'open', press = () => button(person).click()) {
  for (let left = 10; left > 0; left -= 1) {
    scene.panel.clock.advance(10); // so that no attempt counts against the next
    await press();
    await ended(person);
    if ((await person.page.locator(`[data-comparison="${wanted}"]`).count()) > 0) return;
  }
  assert.fail(`no attempt ended as one that ${wanted}`);
}

async function ended(person: Person): Promise<void> {
  await button(person).and(person.page.locator('[aria-disabled="false"]')).waitFor();
  await person.settled();
}

/** `at`: what the pictures are to show. */
async function looksRight(person: Person, name: string, at?: Locator): Promise<void> {
  assert.deepEqual(await faultsOfLooks(person, name, at), []);
}

test('what was tried stands beside the explanation, by keyboard alone', async () => {
  happens('connected', { arrived: 2, passed: 2 });
  await using person = await scene.person('operator');
  await person.opens(QUESTION);
  await person.page.locator('[data-verdict="allowed"]').waitFor();
  await button(person).focus();
  await tries(person, 'agrees', () => person.page.keyboard.press('Enter'));
  assert.equal(await button(person).and(person.page.locator(':focus')).count(), 1, 'the focus stays where it was');
  const live = person.page.locator('[aria-live="polite"]').filter({ has: person.page.locator('[data-reality]') });
  await person.reads(/laptop-1 connected to .* in 7 ms\./, live);
  await person.reads('The attempt agrees with the explanation.', live);
  await person.reads('2 packets arrived at git-1 on mesh0; all passed its packet filters', live);
  assert.deepEqual(person.faults, []);
  await looksRight(person, 'reach-tried');
});

test('a disagreement is shown as one, with the rule that decided', async () => {
  happens('timed_out', { arrived: 1, passed: 0 });
  await using person = await scene.person('operator');
  await person.opens(QUESTION);
  await tries(person, 'disagrees');
  await person.reads(/Explained as allowed, but the attempt was blocked\. This is a bug in Meshwork/);
  await person.reads(/denied_in/, person.page.locator('dd').filter({ hasText: 'denied_in' }));
  await looksRight(person, 'reach-disagreed');
  assert.deepEqual(person.faults, []);
});

test('an agent that does not try is not an error, and an attempt too many is one that can be repeated', async () => {
  laptop.answers = (probe) => (probe.attempt === undefined ? heard(probe) : { error: 'probes are switched off' });
  await using person = await scene.person('operator');
  await person.opens(QUESTION);
  await tries(person, 'open');
  await person.reads('No attempt was made: probes are switched off.');
  happens('connected', { arrived: 1, passed: 1 });
  using _still = scene.panel.clock.holdStill(); // so that the allowance does not fill up again
  for (const retry = person.page.getByRole('button', { name: 'Try again', exact: true }); ; ) {
    await button(person).click();
    await ended(person);
    if ((await retry.count()) > 0) break;
  }
  await person.page.getByRole('alert').waitFor();
  await looksRight(person, 'reach-too-often');
  scene.panel.clock.advance(10);
  await person.presses('Try again');
  await ended(person);
  await person.page.locator('[data-reality="passed"]').waitFor();
  assert.deepEqual(person.faults, []);
});

test('without the permission there is no button, and the checks of the mesh are still shown', async () => {
  await using person = await scene.person('viewer');
  await person.opens(QUESTION);
  await person.page.locator('[data-verdict]').waitFor();
  assert.equal(await button(person).count(), 0);
  await person.page.getByRole('heading', { name: 'Checked by the mesh itself' }).waitFor();
  assert.deepEqual(person.faults, []);
});

test('address families that differ and rates are part of the answer', async () => {
  await using person = await scene.person('operator');
  const explanation: Explanation = OPERATIONS['acls.explain'].example.answer;
  const [v4, v6] = explanation.families;
  assert.ok(v4 !== undefined && v6 !== undefined);
  const rule = 'firewall_01m7fakr1zf5m9pgecw30jt901';
  const detail = 'git-1 accepts 10 new connections a minute. It drops what exceeds that: 3 packets so far.';
  const answer: Explanation = {
    ...explanation,
    verdict: 'unknown',
    reason: 'It depends on the address family: IPv4 is allowed, IPv6 is denied.',
    families: [{ ...v4, verdict: 'allowed', reason: 'laptop-3 may reach git-1 on tcp:22.' }, v6],
    fix: ['1. Change the rule.\n2. Restart the relay.'],
    conditions: [{ node: 'git-1', rule, up_to: { count: 10, per: 'minute' }, dropped: 3, detail }],
  };
  await person.page.route('**/acls/explain?*', (route) => route.fulfill({ json: answer }));
  await person.opens(QUESTION);
  const families = person.page.getByRole('list', { name: 'By address family' }).getByRole('listitem');
  const lines = (await families.allInnerTexts()).map((text) => text.split(/\s*\n\s*/));
  assert.deepEqual(lines, [
    ['Allowed', 'IPv4', '100.64.0.2', 'laptop-3 may reach git-1 on tcp:22.'],
    ['Denied', 'IPv6', 'fd00:64::2', 'No grant lets laptop-3 reach git-1 on tcp:22.'],
  ]);
  await person.reads(detail);
  const fix = person.page.getByText('1. Change the rule.');
  assert.equal(await fix.innerText(), '1. Change the rule.\n2. Restart the relay.', 'a line for each step');
  await person.page.getByRole('link', { name: 'Open rule' }).waitFor();
  await looksRight(person, 'reach-families');
  assert.deepEqual(person.faults, []);
});

const check: SelfCheck = OPERATIONS['acls.self_check'].example.answer;
const report = OPERATIONS['acls.probe'].example.answer;
const disagreement: SelfCheck['disagreements'][number] = {
  at: new Date().toISOString(),
  from: 'laptop-1',
  to: '100.64.0.7',
  port: 'tcp:22',
  report: { ...report, agrees: false, explanation: { ...report.explanation, verdict: 'allowed' } },
  command: 'mesh explain laptop-1 100.64.0.7 tcp:22 --live',
};

/** The real counts grow by chance, and over hours: what the page asks for them is answered here. */
async function counts(person: Person, given: Partial<SelfCheck>): Promise<void> {
  await person.page.route('**/acls/self-check', (route) => route.fulfill({ json: { ...check, ...given } }));
}

test('the checks of the mesh are a table, and each disagreement has its command', async () => {
  await using person = await scene.person('operator');
  await counts(person, { disagreed: 1, disagreements: [disagreement] });
  await person.opens('/reach');
  const section = person.page.getByRole('region', { name: 'Checked by the mesh itself' });
  const cells = await section.getByRole('row').filter({ hasText: 'Allowed' }).getByRole('cell').allInnerTexts();
  assert.deepEqual(cells, ['1,210', '0', '0']);
  await person.reads(disagreement.command, section);
  await person.reads(/12 unknown \(0\.5%\)/, section);
  await looksRight(person, 'reach-checks', section.getByText(disagreement.command));
  assert.deepEqual(person.faults, []);
});

test('the overview has the figure, which leads to the checks', async () => {
  await using person = await scene.person('operator');
  await counts(person, {});
  const { body } = await scene.client.call('overview.show');
  const explain: Overview['explain'] = { checked: 2315, disagreed: 0, unknown: 12 };
  await person.page.route('**/coordinator/overview', (route) => route.fulfill({ json: { ...body, explain } }));
  await person.opens('/');
  await person.reads('Explanations checked');
  await person.reads('0 disagreed, 12 unknown');
  await looksRight(person, 'overview-checks');
  await person.page.getByRole('link', { name: 'View checks' }).click();
  await person.sees('Reach');
  await person.reads('No disagreements: every known explanation was what happened.');
  assert.deepEqual(person.faults, []);
});
