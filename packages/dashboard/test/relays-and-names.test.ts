/** Relays, links and names through their pages: who uses which relay and why, which way packets go and went, and what resolves. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { faultsOfLooks } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';
import { RELAYED, relays } from './scene-paths.ts';
import { OTHER_RELAY, RELAY } from './scene-roster.ts';
import { until } from './until.ts';

const SECRET = 'not-for-anyone-to-read';

let scene: Scene;
let ada: Person;
before(async () => {
  scene = await Scene.open();
  ada = await scene.person('operator');
  await until('the relay reports its load', async () => (await relay(RELAY)).load);
  await ada.opens('/relays');
  await ada.isLive();
});
after(() => scene[Symbol.asyncDispose]());

const relay = async (name: string) => (await scene.client.call('relays.show', { params: { name } })).body;
const row = (name: string) => ada.page.getByRole('row').filter({ hasText: name });

test('a relay says who uses it, how far each node is, and why it has it', async () => {
  await ada.goes('/relays');
  await ada.reads(/^Proven by \d+ nodes\.$/, row(RELAY));
  await ada.reads('14 allocations, 700 MiB carried', row(RELAY));
  await row(RELAY).getByRole('link', { name: RELAY, exact: true }).click();
  await ada.sees(RELAY);
  const { items } = (await scene.client.call('nodes.list', { query: { relay: RELAY } })).body;
  const [node] = items.filter(({ relay_rtt_ms }) => relay_rtt_ms !== null);
  assert.ok(node !== undefined);
  const ms = node.relay_rtt_ms ?? 0;
  await ada.reads(ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`, row(node.name).first());
  const why = node.relay_choice?.why ?? '';
  await ada.reads(new RegExp(why.slice(1), 'i'), row(node.name).first());
  await ada.page.getByText(/^Standby of/).click();
  await ada.page.getByRole('table', { name: `Nodes with ${RELAY} as standby` }).waitFor();
  assert.deepEqual(ada.faults, []);
});

test('the map has a line for each use, and the table beside it leads to the nodes', async () => {
  await ada.goes('/relays?view=map&group=team');
  const table = ada.page.getByRole('table', { name: 'Who uses which relay' });
  const { items } = (await scene.client.call('nodes.list', { query: { tag: 'team:platform', relay: RELAY } })).body;
  const count = table.getByRole('link', { name: `${items.length}: nodes of platform with ${RELAY} as relay` });
  await count.waitFor();
  const lines = await ada.page.locator('figure svg path[data-use="home"]').count();
  const uses = await table.getByRole('link', { name: /as relay$/ }).count();
  assert.equal(lines, uses + 1, 'and one in the legend');
  await ada.page.getByRole('list', { name: 'Relays' }).getByRole('link', { name: RELAY }).focus();
  const dim = ada.page.locator('figure svg path[data-dim="true"]');
  await dim.first().waitFor({ state: 'attached' });
  await count.click();
  await ada.sees('Nodes');
  assert.match(ada.page.url(), /tag=team.*platform&relay=fra-1/);
  await ada.reads(items.length === 1 ? '1 node' : `${items.length} nodes`);
  assert.deepEqual(ada.faults, []);
});

test('nodes are listed by their NAT, and a node says what its NAT means', async () => {
  await ada.goes('/nodes');
  await ada.page.getByRole('combobox', { name: 'NAT' }).click();
  await ada.page.getByRole('option', { name: 'Address-dependent' }).click();
  await ada.reads('1 node');
  await ada.page.getByRole('link', { name: 'laptop-ana' }).click();
  await ada.sees('laptop-ana');
  await ada.reads('Each peer sees it at another port.');
  await ada.page
    .getByRole('link', { name: new RegExp(`^(?:${RELAY}|${OTHER_RELAY})$`) })
    .first()
    .waitFor();
  assert.deepEqual(ada.faults, []);
});

test('a TURN server is added with its secret, changed, and deleted by its name', async () => {
  await ada.goes('/relays');
  await ada.presses('Add relay');
  const dialog = ada.dialog('Add relay');
  await dialog.getByRole('radio', { name: 'A TURN server of your own' }).click();
  await ada.field('Name', dialog).fill(RELAY);
  await ada.field('Shared secret', dialog).fill(SECRET);
  await ada.field('Host', dialog).fill('turn.example.net');
  await ada.presses('Add relay', dialog);
  await dialog.getByRole('alert').waitFor();
  await ada.field('Name', dialog).fill('turn-1');
  await ada.presses('Add relay', dialog);
  await ada.sees('turn-1');
  await ada.reads('External relays report no load.');
  const { kind, tls_port, certificate } = await relay('turn-1');
  assert.deepEqual([kind, tls_port, certificate], ['external', null, 'public']);

  await ada.presses('Edit');
  const edit = ada.dialog('Edit turn-1');
  assert.equal(await edit.getByRole('button', { name: 'Save' }).isDisabled(), true, 'nothing is changed yet');
  await ada.field('Site', edit).fill('nyc');
  await ada.presses('Save', edit);
  await edit.waitFor({ state: 'hidden' });
  await ada.reads('nyc');
  assert.equal((await relay('turn-1')).site, 'nyc');

  await ada.presses('Delete');
  const sure = ada.dialog('Delete turn-1');
  await ada.reads(/No node uses it|Direct connections are not affected/, sure);
  await sure.getByLabel('Type turn-1 to confirm').fill('turn-1');
  await ada.presses('Delete', sure);
  await ada.sees('Relays');
  await row('turn-1').waitFor({ state: 'detached' });
  assert.equal((await ada.page.content()).includes(SECRET), false);
  assert.deepEqual(ada.faults, []);
});

test('a link says why it is relayed, what was tried, and which ways its packets took', async () => {
  await ada.goes(`/topology?node=${scene.node(RELAYED[0]).id}`);
  await ada.page.getByRole('button', { name: new RegExp(`^relay-fra, Active, relay ${RELAY}, `) }).waitFor();
  const links = ada.page.getByRole('list', { name: `Links of ${RELAYED[0]}` });
  await ada.reads('Relayed', links.getByRole('listitem').filter({ hasText: RELAYED[1] }));
  await links.getByRole('link', { name: RELAYED[1] }).click();
  await ada.sees(RELAYED.join(' and '));
  await ada.reads(/laptop-ana is behind a NAT that shows another port to each peer/);
  const end = ada.page.getByRole('region', { name: `From ${RELAYED[0]}` });
  await ada.reads(/fra-1 over UDP/, end);
  await ada.reads('No answer', end.getByRole('listitem').filter({ hasText: '203.0.113.40:51820' }));

  // It goes directly, and the page sees that by itself.
  const [one, other] = RELAYED.map((name) => scene.node(name));
  assert.ok(one !== undefined && other !== undefined);
  relays(one, other, { path: 'direct', endpoint: '203.0.113.40:51820', rtt_ms: 9, tried: [] });
  const ways = ada.page.getByRole('region', { name: 'Paths over time' }).getByRole('listitem');
  await ada.reads(/^Direct to 203\.0\.113\.40:51820/, ways.first());
  await ada.reads(/^Relayed by fra-1 over UDP to ams-1/, ways.nth(1));
  await ada.reads('Direct one way, relayed the other');
  const shown = ada.page.getByRole('heading', { name: 'Paths over time' });
  assert.deepEqual(await faultsOfLooks(ada, 'link-over-time', shown), []);
  assert.deepEqual(ada.faults, []);
});

test('the list of links and the page of a node lead to the link', async () => {
  await ada.goes('/topology?view=list');
  await ada.page
    .getByRole('link', { name: /^Direct: link of .*web-1/ })
    .first()
    .click();
  await ada.sees(/web-1/);
  await ada.goes(`/nodes/${scene.node('web-1').id}`);
  await ada.page.getByRole('link', { name: /: link with db-1$/ }).click();
  await ada.sees('web-1 and db-1');
  assert.deepEqual(ada.faults, []);
});

test('a record is created, found, changed and deleted, and one that is taken says so', async () => {
  await ada.goes('/names');
  await ada.reads('No records yet');
  await ada.presses('New record', ada.page.locator('main').getByRole('table').locator('..'));
  const dialog = ada.dialog('New record');
  await ada.field('Name', dialog).fill('git-1');
  await dialog.getByPlaceholder('100.64.0.7').fill('100.64.0.7');
  await ada.presses('Create record', dialog);
  await dialog.getByRole('alert').waitFor();
  await ada.field('Name', dialog).fill('Wiki.mesh');
  await ada.presses('Create record', dialog);
  await dialog.waitFor({ state: 'hidden' });
  await ada.reads('100.64.0.7', row('wiki.mesh'));

  await ada.presses('Edit wiki.mesh');
  const edit = ada.dialog('Edit wiki.mesh');
  await edit.getByText('Another name').click();
  await ada.field('Alias of', edit).fill('git-1');
  await ada.presses('Save', edit);
  await edit.waitFor({ state: 'hidden' });
  await ada.reads('git-1.mesh', row('wiki.mesh'));
  const { cname, addresses } = (await scene.client.call('dns.show', { params: { id: 'wiki' } })).body;
  assert.deepEqual([cname, addresses], ['git-1.mesh', []]);

  // Another person adds one, which the page has at once, and its filter finds.
  await scene.client.call('dns.create', { body: { name: '*.apps', addresses: ['100.64.0.9'] } });
  await row('*.apps.mesh').waitFor();
  await ada.page.getByRole('combobox', { name: 'Kind' }).click();
  await ada.page.getByRole('option', { name: 'Wildcards' }).click();
  await row('wiki.mesh').waitFor({ state: 'detached' });
  await row('*.apps.mesh').waitFor();
  await ada.presses('Delete *.apps.mesh');
  await ada.presses('Delete', ada.dialog('Delete *.apps.mesh'));
  await ada.reads('No matching records');
  assert.deepEqual(ada.faults, []);
});

test('names of nodes and services are listed, and so are the resolvers of other domains', async () => {
  await scene.client.call('settings.update', { body: { dns: { routing_domains: ['corp.example.org=10.20.0.53'] } } });
  await ada.goes('/names?view=nodes&q=git-1');
  await ada.reads('git-ssh.svc.mesh tcp:22', row('git-1.mesh'));
  await ada.reads('10.20.0.53', ada.page.getByRole('region', { name: 'Split DNS' }));
  assert.deepEqual(ada.faults, []);
});

test('a drain says what happens to the nodes, and counts those that are left', async () => {
  const { nodes } = await relay(RELAY);
  assert.ok(nodes > 0);
  await ada.goes(`/relays/${RELAY}`);
  await ada.presses('Drain');
  const sure = ada.dialog(`Drain ${RELAY}`);
  await ada.reads(/move to other relays/, sure);
  await ada.presses('Drain', sure);
  await ada.reads('No node uses it any more. It can be stopped or deleted.');
  await until('its nodes are elsewhere', async () => (await relay(OTHER_RELAY)).nodes >= nodes);
  await scene.client.call('relays.undrain', { params: { name: RELAY } });
  await ada.page.getByRole('button', { name: 'Drain', exact: true }).waitFor();
  assert.deepEqual(ada.faults, []);
});

test('a viewer sees relays and names, and nothing to change them with', async () => {
  await using vera = await scene.person('viewer');
  await vera.opens(`/relays/${RELAY}`);
  await vera.sees(RELAY);
  assert.equal(
    await vera.page
      .locator('main')
      .getByRole('button', { name: /^(?:Edit|Drain|Delete)$/ })
      .count(),
    0,
  );
  await vera.goes('/names');
  assert.equal(await vera.page.getByRole('button', { name: /New record|Edit|Delete/ }).count(), 0);
  await vera.goes('/relays');
  assert.equal(await vera.page.getByRole('button', { name: 'Add relay' }).count(), 0);
  assert.deepEqual(vera.faults, []);
});

test('without relays the page says what they are for', async () => {
  await ada.goes('/relays');
  for (const name of [RELAY, OTHER_RELAY]) await scene.client.call('relays.delete', { params: { name } });
  await ada.reads('No relays yet');
  await ada.page.locator('main').getByRole('button', { name: 'Add relay' }).waitFor();
  assert.deepEqual(ada.faults, []);
});
