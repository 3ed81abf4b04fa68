/** The WAF through its pages: from an event to an exclusion, what filters find, the form of a policy, and what a viewer does not see. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOfLooks } from './looks.ts';
import { MARKUP } from './markup.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { aWaf, GATEWAY, POLICY, type WafScene } from './scene-waf.ts';
import { until } from './until.ts';

let scene: Scene;
let ada: Person;
let waf: WafScene;
before(async () => {
  scene = await Scene.open();
  waf = await aWaf(scene);
  ada = await scene.person('operator');
  await ada.opens('/waf');
  await ada.isLive();
});
after(() => scene[Symbol.asyncDispose]());

const policy = async (id: string = waf.policy) => (await scene.client.call('waf.show', { params: { id } })).body;
const region = (name: string) => ada.page.getByRole('region', { name, exact: true });
const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name });

test('the list says what each policy does, where, and what it found, with all that gateways only counted', async () => {
  await ada.reads('Block', row(POLICY));
  await ada.reads('store', row(POLICY));
  await ada.reads(/436 blocked, 1 detected/, row(POLICY));
  await row(POLICY).getByRole('link', { name: POLICY }).click();
  await ada.sees(POLICY);
  await ada.reads('436', region('Last 24 hours'));
  await ada.reads(/437 requests of these were counted by gateways/, region('Last 24 hours'));
  await ada.reads('In force', region('In force').getByRole('listitem').filter({ hasText: GATEWAY }));
  await ada.reads('Core Rule Set 3.3.4', region('In force'));
  await ada.reads('A rule set is at its end of life', region('In force'));
  await ada.reads('Block if path is /xmlrpc.php.', region('Rules of your own'));
  assert.deepEqual(ada.faults, []);
});

test('a rule that is chosen narrows the events, and an event shows its matches as text', async () => {
  await ada.goes('/waf/events');
  await ada.presses(/^Rule 941110/, region('Top rules'));
  await until('only its events are there', async () => (await ada.page.getByRole('row').count()) === 2);
  assert.equal(await ada.field('Rule').inputValue(), '941110');
  await row('/search').getByRole('link').click();
  await ada.sees('Request to store.example.net');
  await ada.reads(MARKUP, region('Rules that matched'));
  await ada.reads('3 further matches not named.', region('Rules that matched'));
  assert.equal(await ada.page.evaluate('window.hacked'), undefined);
  await ada.goes('/waf/events?address=2001:db8:7::12');
  await row('/login').getByRole('link').click();
  await ada.reads('Not recorded: it may be a secret.', region('Rules that matched'));
  assert.deepEqual(ada.faults, []);
});

test('an event proposes an exclusion, which is saved as a draft, put in force and removed', async () => {
  await ada.goes(`/waf/events/${waf.event}`);
  const proposal = region('False positive?');
  await ada.presses('Propose an exclusion', proposal);
  await ada.reads('Rule 942100 does not look at argument q in requests to store.example.net/search.', proposal);
  await ada.reads(/would have let \d+ requests? through/, proposal);
  assert.deepEqual(await faultsOfLooks(ada, 'waf-proposal', proposal), []);
  await ada.field('Note', proposal).fill('The search knows quotes.');
  await ada.presses('Save as draft', proposal);
  await ada.reads(/^Draft$/, proposal);
  const saved = async () => (await policy()).exclusions.find(({ path }) => path === '/search');
  assert.deepEqual([(await saved())?.draft, (await saved())?.event], [true, waf.event]);

  await proposal.getByRole('link', { name: POLICY }).click();
  await ada.sees(POLICY);
  const shown = region('Exclusions').getByRole('listitem').filter({ hasText: 'store.example.net/search' });
  await ada.reads('The search knows quotes.', shown);
  await ada.presses(/^Put in force/, shown);
  const dialog = ada.dialog('Put the exclusion in force');
  await ada.reads(/would have let \d+ requests? through/, dialog);
  assert.deepEqual(await faultsOfLooks(ada, 'waf-enforce', dialog), []);
  await ada.presses('Put in force', dialog);
  await until('it is in force', async () => (await saved())?.draft === false);
  await ada.presses(/^Remove/, shown);
  await ada.presses('Remove', ada.dialog('Remove the exclusion'));
  await until('it is gone', async () => (await saved()) === undefined);
  assert.deepEqual(ada.faults, []);
});

test('an exclusion is written by hand, previewed, and saved as a draft', async () => {
  await ada.goes(`/waf/${waf.policy}`);
  const exclusions = region('Exclusions');
  await ada.presses('Add an exclusion', exclusions);
  const form = ada.page.getByRole('form', { name: 'New exclusion' });
  await ada.presses('Preview', form);
  await ada.reads('A number of six digits, such as 942100.', form);
  await ada.reads('It begins with a slash.', form);
  await ada.field('Number', form).fill('942100');
  await ada.field('Host name', form).fill('store.example.net');
  await ada.field('Path', form).fill('/by-hand');
  await ada.field('Called', form).fill('q');
  assert.deepEqual(await faultsOfLooks(ada, 'waf-exclusion-form', form), []);
  await ada.presses('Preview', form);
  await ada.reads('Rule 942100 does not look at argument q in requests to store.example.net/by-hand.', form);
  await ada.reads(/it concerns 0, and would have let no further request through/, form);
  assert.deepEqual(await faultsOfLooks(ada, 'waf-exclusion-preview', form), []);
  await ada.field('Path', form).fill('/search');
  assert.equal(await form.getByRole('button', { name: 'Save as draft' }).count(), 0, 'what is saved was previewed');
  await ada.presses('Preview', form);
  await ada.reads(/would have let \d+ requests? through/, form);
  await ada.presses('Save as draft', form);
  await until('the form is closed', async () => (await form.count()) === 0);
  const saved = async () => (await policy()).exclusions.find(({ path }) => path === '/search');
  assert.deepEqual([(await saved())?.draft, (await saved())?.event, (await saved())?.rule], [true, null, 942_100]);
  const shown = exclusions.getByRole('listitem').filter({ hasText: 'store.example.net/search' });
  await ada.presses(/^Remove/, shown);
  await ada.presses('Remove', ada.dialog('Remove the exclusion'));
  await until('it is gone', async () => (await saved()) === undefined);
  assert.deepEqual(ada.faults, []);
});

test('an exclusion for a policy that another person changed meanwhile is not saved blindly', async () => {
  await ada.goes(`/waf/events/${waf.event}`);
  const proposal = region('False positive?');
  await ada.presses('Propose an exclusion', proposal);
  await ada.page.route('**/waf/policies/*', (route) => route.abort()); // what it would hear of the change
  await scene.client.call('waf.update', { params: { id: waf.policy }, body: { note: 'Changed meanwhile.' } });
  await ada.presses('Save as draft', proposal);
  await ada.reads(/Read it again/, proposal);
  await ada.page.unroute('**/waf/policies/*');
  assert.equal((await policy()).exclusions.filter(({ path }) => path === '/search').length, 0);
  ada.complaints.splice(0);
});

test('a policy is made by its form, and objections stand at their fields', async () => {
  await ada.goes('/waf');
  await ada.page.getByRole('link', { name: 'Create policy' }).click();
  await ada.sees('New WAF policy');
  assert.equal(await ada.page.getByRole('button', { name: 'Create policy' }).isDisabled(), true);
  await ada.field('Name', region('Policy')).fill('forms');
  await ada.field('Largest body').fill('2 MB');
  await ada.presses('Add rule');
  const rule = ada.page.getByRole('group', { name: 'Rule the new rule', exact: true });
  await ada.field('Values', rule).fill('/admin\n/internal');
  await ada.field('Name', rule).fill('inside only!');
  await ada.presses('Create policy');
  const named = ada.page.getByRole('group', { name: 'Rule inside only!', exact: true });
  await named.locator('.mantine-InputWrapper-error').first().waitFor();
  await ada.field('Name', named).fill('inside only');
  assert.deepEqual(await faultsOfLooks(ada, 'waf-form', region('Rules of your own')), []);
  await ada.presses('Create policy');
  await ada.sees('forms');
  const { requests, rules } = await policy('forms');
  assert.equal(requests.body_bytes, 2_000_000);
  assert.deepEqual(rules, [
    {
      ...{ name: 'inside only', action: 'block', score: 0 },
      when: [
        {
          ...{ part: 'path', name: null, test: 'begins_with', values: ['/admin', '/internal'] },
          ...{ negated: false, transforms: [] },
        },
      ],
    },
  ]);
  assert.deepEqual(ada.faults, []);
});

test('the same policy is changed as JSON, and one that was changed meanwhile is not overwritten', async () => {
  const { id } = await policy('forms');
  await ada.goes(`/waf/${id}/edit`);
  await ada.page.getByText('JSON', { exact: true }).click();
  await scene.client.call('waf.update', { params: { id }, body: { note: 'of another person' } });
  await ada.field('The policy as JSON').fill('{ "mode": "block" }');
  await ada.presses('Save');
  await ada.presses('Discard my changes and load the current version');
  await ada.page.getByText('JSON', { exact: true }).click();
  await ada.field('The policy as JSON').fill('{ "mode": "block", "paranoia": { "detect": 2 } }');
  await ada.presses('Save');
  await ada.sees('forms');
  const { mode, paranoia, note } = await policy('forms');
  assert.deepEqual(
    { mode, paranoia, note },
    { mode: 'block', paranoia: { block: 1, detect: 2 }, note: 'of another person' },
  );
  assert.deepEqual(ada.faults, []);
});

test('an ingress and each of its paths choose a policy', async () => {
  await ada.goes(`/ingress/${waf.ingress}/edit`);
  await ada.page.getByRole('combobox', { name: 'WAF policy', exact: true }).click();
  await ada.page.getByRole('option', { name: /^strict/ }).click();
  await ada.page.getByRole('combobox', { name: 'WAF policy of /health' }).click();
  await ada.page.getByRole('option', { name: 'As for the whole ingress' }).last().click();
  await ada.presses('Save');
  await ada.sees('store');
  await ada.page.getByRole('link', { name: 'strict' }).waitFor();
  const { body } = await scene.client.call('ingress.show', { params: { id: waf.ingress } });
  assert.equal(body.waf, (await policy('strict')).id);
  assert.equal('waf' in (body.routes[0] ?? {}), false);
  assert.deepEqual(ada.faults, []);
});

test('the test bench says why no gateway could try a request', async () => {
  await ada.goes(`/waf/test?policy=${waf.policy}`);
  await ada.page.getByRole('combobox', { name: 'Example' }).click();
  await ada.page.getByRole('option', { name: 'Path traversal' }).click();
  assert.match(await ada.field('Path and query').inputValue(), /etc\/passwd/);
  await ada.presses('Try it');
  await ada.reads('No gateway could try the request');
  assert.deepEqual(ada.faults, []);
});

test('a viewer reads all of it, and sees no button that would fail', async () => {
  await using vera = await scene.person('viewer');
  await vera.opens('/waf');
  await vera.reads(POLICY);
  assert.equal(await vera.page.getByRole('link', { name: 'Create policy' }).count(), 0);
  await vera.goes(`/waf/${waf.policy}`);
  await vera.sees(POLICY);
  for (const name of [/^Put in force/, /^Remove/, 'Delete'] as const) {
    assert.equal(await vera.page.getByRole('button', { name }).count(), 0, String(name));
  }
  await vera.goes(`/waf/events/${waf.event}`);
  await vera.presses('Propose an exclusion');
  await vera.reads(/Rule 942100 does not look at/);
  assert.equal(await vera.page.getByRole('button', { name: 'Save as draft' }).count(), 0);
  await vera.goes(`/waf/${waf.policy}/edit`);
  await vera.reads('Your role does not allow this');
  assert.deepEqual(vera.faults, []);
});
