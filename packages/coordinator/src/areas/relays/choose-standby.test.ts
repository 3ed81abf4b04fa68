import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import fc from 'fast-check';
import { chooseStandby, type StandbySeeker } from './choose-standby.ts';
import { freeOf, type RelayStanding } from './relay-standings.ts';

const NODE = 'node_seeker' as NodeId;
const relay = (name: string, more: Partial<RelayStanding> = {}): RelayStanding => ({
  name,
  node: `node_${name}` as NodeId,
  site: null,
  healthy: true,
  draining: false,
  capacity: 10,
  load: 0,
  standbys: 0,
  ...more,
});
const choose = (relays: readonly RelayStanding[], seeker: Partial<StandbySeeker> = {}) =>
  chooseStandby(
    { node: NODE, home: 'home', present: null, receives_by: [], round_trips: new Map(), ...seeker },
    new Map(relays.map((one) => [one.name, one])),
  );
const HOME = relay('home', { site: 'fra' });
const ROUND_TRIPS = new Map([
  ['home', 5],
  ['near', 10],
  ['far', 90],
]);

describe('the standby of a node', () => {
  it('is the nearest with room that is not its home, and of another site where there is one', () => {
    const round_trips = ROUND_TRIPS;
    assert.equal(choose([HOME, relay('far'), relay('near')], { round_trips }), 'near');
    const sites = [HOME, relay('far', { site: 'ams' }), relay('near', { site: 'fra' })];
    assert.equal(choose(sites, { round_trips }), 'far');
    const unsaid = [HOME, relay('far', { site: 'ams' }), relay('near')];
    assert.equal(choose(unsaid, { round_trips }), 'far', 'one that does not say may stand beside the home');
    assert.equal(choose([HOME, relay('near', { site: 'fra' })], { round_trips }), 'near', 'rather than none');
    assert.equal(choose([HOME]), null);
  });

  it('takes only what room the homes leave', () => {
    assert.equal(choose([HOME, relay('a', { load: 6, standbys: 4 })]), null);
    assert.equal(choose([HOME, relay('a', { load: 6, standbys: 3 })]), 'a');
    assert.equal(choose([HOME, relay('a', { load: 6, standbys: 4 })], { present: 'a' }), 'a', 'it has its own place');
    assert.equal(choose([HOME, relay('a', { load: 7, standbys: 4 })], { present: 'a' }), null, 'a home came');
  });

  it('stays while it works, however near another is, unless it stands beside the home and another does not', () => {
    const round_trips = ROUND_TRIPS;
    const both = [HOME, relay('far', { site: 'ams' }), relay('near', { site: 'lon' })];
    assert.equal(choose(both, { present: 'far', round_trips }), 'far');
    const beside = [HOME, relay('far', { site: 'ams' }), relay('near', { site: 'fra' })];
    assert.equal(choose(beside, { present: 'near', round_trips }), 'far');
    for (const broken of [{ healthy: false }, { draining: true }, { node: NODE }]) {
      assert.equal(choose([HOME, relay('far', broken), relay('near')], { present: 'far' }), 'near', `${broken}`);
    }
    assert.equal(choose([HOME, relay('near')], { present: 'home' }), 'near', 'its home became it');
  });

  it('is what the node receives by until it receives by its home, also if that one is drained or full', () => {
    const old = relay('old', { draining: true, load: 10 });
    const moving = { present: 'near', receives_by: ['old', 'near'] };
    assert.equal(choose([HOME, old, relay('near')], moving), 'old');
    assert.equal(
      choose([HOME, old, relay('near')], { ...moving, present: 'old', receives_by: ['home', 'old'] }),
      'near',
    );
    assert.equal(choose([HOME, { ...old, healthy: false }, relay('near')], moving), 'near', 'nothing comes by it');
    assert.equal(choose([HOME, relay('far')], moving), 'far', 'what it receives by is gone');
    assert.equal(choose([HOME, { ...old, node: NODE }], moving), null);
  });

  const standings = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('home', 'b', 'c', 'd'),
      node: fc.constantFrom(NODE, 'node_1' as NodeId),
      site: fc.constantFrom(null, 'x', 'y'),
      healthy: fc.boolean(),
      draining: fc.boolean(),
      capacity: fc.integer({ min: 1, max: 4 }),
      load: fc.nat(4),
      standbys: fc.nat(4),
    }),
    { selector: (one) => one.name },
  );
  const names = fc.constantFrom('home', 'b', 'c', 'd', 'gone');
  const seekers = fc.record({ present: fc.option(names), receives_by: fc.uniqueArray(names, { maxLength: 2 }) });

  it('always carries, is no home and not the own, has room unless the node is moving, and settles at once', () => {
    fc.assert(
      fc.property(standings, seekers, (relays, seeker) => {
        const chosen = choose(relays, seeker);
        const one = relays.find(({ name }) => name === chosen);
        if (one === undefined) return;
        assert.ok(one.healthy && one.node !== NODE && one.name !== 'home');
        const isMoving = !seeker.receives_by.includes('home') && seeker.receives_by.includes(one.name);
        if (!isMoving) assert.ok(!one.draining && freeOf(one) + (chosen === seeker.present ? 1 : 0) > 0);
        const moved = relays.map((other) => ({
          ...other,
          standbys: other.standbys + (other.name === chosen ? 1 : 0) - (other.name === seeker.present ? 1 : 0),
        }));
        assert.equal(choose(moved, { ...seeker, present: chosen }), chosen);
      }),
    );
  });
});
