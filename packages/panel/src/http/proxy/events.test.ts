import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SignedIn, Token } from '@meshwork/contract';
import { FollowedEvents } from '../../../test/followed-events.ts';
import { PASSWORD, type TestBrowser, TestPanel } from '../../../test/harness.ts';
import { TcpRelay } from '../../../test/tcp-relay.ts';

const MINUTE_S = 60;

describe('a stream of events through the panel', () => {
  let relay: TcpRelay;
  let panel: TestPanel;
  let owner: TestBrowser;
  let names = 0;
  before(async () => {
    relay = await TcpRelay.open();
    panel = await TestPanel.start({ MESH_COORDINATOR_URL: relay.url });
    relay.target = panel.coordinator.url;
    owner = await panel.owner();
  });
  after(async () => {
    await panel.close();
    await relay.close();
  });

  const person = () => panel.person(owner, { name: `person-${++names}` });
  const idOf = async (browser: TestBrowser) => ((await browser.state()) as SignedIn).user.id;
  const somethingHappens = () => panel.coordinator.token({ name: 'an event' });
  const receives = (events: FollowedEvents, what: string, times = 1) =>
    panel.until(async () => events.text.split(what).length > times);

  it('brings what happens while it happens, and goes on where the last one ended', async () => {
    const ada = await person();
    const first = await FollowedEvents.open(ada);
    assert.equal(first.response.headers['content-type'], 'text/event-stream');
    assert.equal(first.response.headers['cache-control'], 'no-store');
    await somethingHappens();
    await receives(first, 'event: token.created');
    await somethingHappens();
    await receives(first, 'event: token.created', 2);
    first.hangUp();
    const [, last = ''] = /id: (\d+)\nevent: token\.created/.exec(first.text) ?? [];
    const second = await FollowedEvents.open(ada, { 'last-event-id': last });
    await receives(second, 'event: token.created');
    second.hangUp();
  });

  it('ends in an orderly way, at once, when the person signs out or is signed out', async () => {
    const ada = await person();
    relay.intercept = (asked) => asked.startsWith('DELETE /v1/auth/delegations'); // the coordinator never gets it
    const events = await FollowedEvents.open(ada);
    await ada.must(204, 'POST', '/api/v1/auth/logout', { body: {} });
    assert.equal(await events.ended, true);

    const bob = await person();
    const others = await FollowedEvents.open(bob);
    await owner.must(200, 'DELETE', `/api/v1/sessions?user=${await idOf(bob)}`);
    assert.equal(await others.ended, true);
    relay.intercept = undefined;
  });

  it('ends when the role of the person changes, and comes back with the new one', async () => {
    const ada = await person();
    const events = await FollowedEvents.open(ada);
    await owner.must(200, 'PATCH', `/api/v1/users/${await idOf(ada)}`, { body: { role: 'viewer' } });
    assert.equal(await events.ended, true);
    const again = await FollowedEvents.open(ada);
    again.hangUp();
  });

  it('ends when the cookie that it was opened with is replaced: an attacker may have had it', async () => {
    const ada = await person();
    const stolen = ada.copy();
    const events = await FollowedEvents.open(stolen);
    const body = { current: PASSWORD, password: 'another lantern gravel zebra' };
    await ada.must(200, 'POST', '/api/v1/profile/password', { body });
    // The old one reads for a moment more, and what it opens would last. Asked first: the moment is ten seconds.
    await assert.rejects(FollowedEvents.open(stolen), /refused with 429/);
    assert.equal(await events.ended, true);
    const again = await FollowedEvents.open(ada);
    again.hangUp();
  });

  it('ends with its token, and the next one has a fresh token', async () => {
    const ada = await person();
    const events = await FollowedEvents.open(ada);
    const id = await idOf(ada);
    panel.clock.advance(16 * MINUTE_S);
    assert.equal(await events.ended, true);
    const again = await FollowedEvents.open(ada);
    const got = await panel.coordinator.ask<{ items: Token[] }>('GET', '/v1/auth/tokens?people=true&limit=200');
    const states = got.body.items.filter(({ on_behalf_of }) => on_behalf_of?.id === id).map(({ state }) => state);
    assert.deepEqual(states, ['expired', 'active']);
    again.hangUp();
    owner = await panel.signIn('grace');
  });

  it('does not keep a session from ending as idle', async () => {
    const ada = await person();
    let events = await FollowedEvents.open(ada);
    // The page reconnects by itself whenever a stream ends. The person does nothing else for more than an hour.
    for (let minutes = 0; minutes < 56; minutes += 14) {
      panel.clock.advance(14 * MINUTE_S);
      events.hangUp();
      events = await FollowedEvents.open(ada);
    }
    panel.clock.advance(5 * MINUTE_S);
    assert.equal(await events.ended, true);
    assert.equal((await ada.state()).state, 'signed_out');
    owner = await panel.signIn('grace');
  });

  it('that the browser closes is closed at the coordinator too', async () => {
    const ada = await person();
    await ada.must(200, 'GET', '/api/v1/coordinator/auth/whoami');
    const open = async () =>
      Number(
        /^mesh_coordinator_event_streams (\d+)$/m.exec((await panel.coordinator.ask('GET', '/metrics')).text)?.[1],
      );
    await panel.until(async () => (await open()) === 0);
    const events = await FollowedEvents.open(ada);
    await panel.until(async () => (await open()) === 1);
    events.hangUp();
    await panel.until(async () => (await open()) === 0);
  });

  it('ends in an orderly way when the coordinator goes, and when the panel does', async () => {
    const ada = await person();
    const events = await FollowedEvents.open(ada);
    await panel.coordinator.down();
    assert.equal(await events.ended, true);
    await panel.coordinator.up();
    relay.target = panel.coordinator.url;
    const again = await FollowedEvents.open(ada);
    await panel.down();
    assert.equal(await again.ended, true);
    await panel.up();
    owner = await panel.signIn('grace');
  });
});
