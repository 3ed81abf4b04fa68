import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import fc from 'fast-check';
import { chooseRelay, type RelaySeeker } from './choose-relay.ts';
import type { RelayStanding } from './relay-standings.ts';

const NODE = 'node_seeker' as NodeId;
const relay = (name: string, more: Partial<RelayStanding> = {}): RelayStanding => ({
  name,
  node: `node_${name}` as NodeId,
  healthy: true,
  draining: false,
  capacity: 10,
  load: 0,
  standbys: 0,
  site: null,
  ...more,
});
const NOTHING = { pinned: null, present: null, standby: null, settled: true, nearer: new Set<string>() };
const chosen = (relays: readonly RelayStanding[], seeker: Partial<RelaySeeker> = {}) =>
  chooseRelay(
    { node: NODE, ...NOTHING, round_trips: new Map(), ...seeker },
    new Map(relays.map((one) => [one.name, one])),
  );
const choose = (...given: Parameters<typeof chosen>) => chosen(...given).relay;

describe('the relay of a node', () => {
  it('is the nearest with room; those it has not measured come after those it has', () => {
    const round_trips = new Map([
      ['full', 1],
      ['near', 10],
      ['far', 90],
    ]);
    const all = [relay('far'), relay('full', { load: 10 }), relay('near', { load: 9 }), relay('unknown')];
    assert.equal(choose(all, { round_trips }), 'near');
    assert.equal(choose([relay('far', { load: 9 }), relay('unknown')], { round_trips }), 'far');
  });

  it('is the emptiest by share of its capacity when none is measured, and the first by name of equals', () => {
    assert.equal(
      choose([relay('small', { load: 2, capacity: 4 }), relay('large', { load: 4, capacity: 10 })]),
      'large',
    );
    assert.equal(choose([relay('b', { load: 1, capacity: 3 }), relay('a', { load: 2, capacity: 6 })]), 'a');
  });

  it('stays what it is while that works, however near or empty another one is', () => {
    const relays = [relay('slow', { load: 10 }), relay('fast')];
    const round_trips = new Map([
      ['slow', 300],
      ['fast', 1],
    ]);
    assert.equal(choose(relays, { present: 'slow', round_trips }), 'slow');
  });

  it('is chosen once more when the node has measured for the first time, also if the present one is full', () => {
    const round_trips = new Map([
      ['slow', 300],
      ['fast', 1],
    ]);
    const relays = [relay('slow', { load: 10 }), relay('fast')];
    assert.equal(choose(relays, { present: 'slow', settled: false, round_trips }), 'fast');
    const near = [relay('slow', { load: 10 }), relay('fast', { load: 10 })];
    assert.equal(choose(near, { present: 'fast', settled: false, round_trips }), 'fast', 'it has its own place there');
    assert.equal(choose(near, { present: 'slow', settled: false, round_trips }), 'slow', 'there is no room elsewhere');
  });

  it('is another when the present one is not healthy, drains, or is gone', () => {
    for (const broken of [[relay('old', { healthy: false })], [relay('old', { draining: true })], []]) {
      assert.equal(choose([...broken, relay('new')], { present: 'old' }), 'new');
    }
  });

  it('is the pinned one whatever its load, another while that does not work, and then the pinned one again', () => {
    const full = relay('pin', { load: 10 });
    assert.equal(choose([full, relay('other')], { pinned: 'pin', present: 'other' }), 'pin');
    assert.equal(choose([{ ...full, healthy: false }, relay('other')], { pinned: 'pin', present: 'pin' }), 'other');
    assert.equal(choose([{ ...full, draining: true }, relay('other')], { pinned: 'pin', present: 'pin' }), 'other');
    assert.equal(choose([relay('other')], { pinned: 'pin' }), 'other');
  });

  it('is never one that the node runs itself', () => {
    const own = relay('own', { node: NODE });
    assert.equal(choose([own]), null);
    assert.equal(choose([own, relay('other', { load: 9 })], { pinned: 'own', present: 'own' }), 'other');
  });

  it('is none when none is healthy or all are full', () => {
    assert.equal(choose([]), null);
    assert.equal(choose([relay('ill', { healthy: false }), relay('full', { load: 10 })]), null);
  });

  it('moves off one that was made smaller than its load, if there is room elsewhere', () => {
    const small = relay('small', { load: 11 });
    assert.equal(choose([small, relay('other')], { present: 'small' }), 'other');
    assert.equal(choose([small, relay('other')], { present: 'small', pinned: 'small' }), 'small');
    assert.equal(choose([small, relay('full', { load: 10 })], { present: 'small' }), 'small');
  });

  it('moves to one that has been nearer for long, if that works and has room', () => {
    const round_trips = new Map([
      ['old', 90],
      ['near', 20],
      ['nearest', 10],
    ]);
    const nearer = new Set(['near', 'nearest']);
    const stay = { present: 'old', round_trips };
    const all = [relay('old', { load: 3 }), relay('near'), relay('nearest')];
    assert.deepEqual(chosen(all, { ...stay, nearer }), { relay: 'nearest', why: 'nearest: 10 ms; old: 90 ms before' });
    assert.equal(choose([relay('old'), relay('near'), relay('nearest', { load: 10 })], { ...stay, nearer }), 'near');
    assert.equal(choose([relay('old'), relay('near', { draining: true })], { ...stay, nearer }), 'old');
    assert.equal(choose(all, { ...stay, nearer, pinned: 'old' }), 'old', 'an operator chose it');
    assert.deepEqual(chosen(all, stay), { relay: 'old', why: null });
  });

  it('is the standby when the present one is lost, however near another is, and if there is room', () => {
    const round_trips = new Map([
      ['stand', 90],
      ['near', 10],
    ]);
    const lost = { present: 'old', standby: 'stand', round_trips };
    const others = [relay('stand', { load: 9, standbys: 5 }), relay('near')];
    const why = (broken: readonly RelayStanding[]) => chosen([...broken, ...others], lost);
    const tookOver = (text: string) => ({ relay: 'stand', why: `${text}; its standby took over` });
    assert.deepEqual(why([relay('old', { healthy: false })]), tookOver('old does not carry any more'));
    assert.deepEqual(why([relay('old', { draining: true })]), tookOver('old is drained'));
    assert.deepEqual(why([relay('old', { node: NODE })]), tookOver('the node runs old itself'));
    assert.deepEqual(why([]), tookOver('old was deleted'));
    assert.equal(choose([relay('stand', { load: 10 }), relay('near')], lost), 'near');
    assert.equal(choose([relay('stand', { healthy: false }), relay('near')], lost), 'near');
    assert.equal(choose([relay('stand'), relay('near')], { ...lost, present: null }), 'near', 'nothing was lost');
  });

  it('says why', () => {
    const round_trips = new Map([
      ['fra-1', 12.4],
      ['ams-1', 31],
      ['lan-1', 0.42],
    ]);
    const why = (relays: readonly RelayStanding[], seeker: Partial<RelaySeeker> = {}) =>
      chosen(relays, { round_trips, ...seeker }).why;
    assert.equal(why([relay('fra-1'), relay('ams-1')]), 'fra-1: 12 ms, the next is ams-1 with 31 ms');
    assert.equal(why([relay('lan-1'), relay('new-1')]), 'lan-1: 0.4 ms');
    assert.equal(why([relay('fra-1'), relay('ams-1', { load: 10 })]), 'the only relay with room');
    assert.equal(why([relay('x'), relay('y', { load: 3 })]), 'the emptiest: 0 of 10 nodes');
    assert.equal(why([relay('fra-1'), relay('ams-1')], { pinned: 'ams-1' }), 'pinned by an operator');
    assert.equal(why([relay('fra-1', { healthy: false })]), 'no relay works, or all that work are full');
    assert.equal(
      why([relay('fra-1'), relay('ams-1')], { present: 'gone' }),
      'gone was deleted; fra-1: 12 ms, the next is ams-1 with 31 ms',
    );
  });

  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const standings = fc
    .uniqueArray(
      fc.record({
        name,
        node: fc.constantFrom(NODE, 'node_1' as NodeId, 'node_2' as NodeId),
        healthy: fc.boolean(),
        draining: fc.boolean(),
        capacity: fc.integer({ min: 1, max: 4 }),
        load: fc.integer({ min: 0, max: 5 }),
        standbys: fc.nat(3),
        site: fc.constantFrom(null, 'x', 'y'),
      }),
      { selector: (one) => one.name },
    )
    .map((list): readonly RelayStanding[] => list);
  const seekers = fc.record({
    pinned: fc.option(name),
    present: fc.option(name),
    round_trips: fc.array(fc.tuple(name, fc.nat(3))).map((list) => new Map(list)),
  });
  const works = (one: RelayStanding) => one.healthy && !one.draining && one.node !== NODE;

  it('always works; is over capacity only when pinned or stayed on; is none only when nothing has room', () => {
    fc.assert(
      fc.property(standings, seekers, (relays, seeker) => {
        const first = choose(relays, seeker);
        const one = relays.find((other) => other.name === first);
        const withRoom = relays.some((other) => works(other) && other.load < other.capacity);
        if (one === undefined) assert.ok(!withRoom);
        else {
          assert.ok(works(one));
          const isOver = one.load > one.capacity || (one.load === one.capacity && one.name !== seeker.present);
          if (isOver) assert.ok(one.name === seeker.pinned || (one.name === seeker.present && !withRoom));
        }
      }),
    );
  });

  it('is the same in whatever order the relays stand, and the same again once it was chosen', () => {
    fc.assert(
      fc.property(standings, seekers, (relays, seeker) => {
        const first = choose(relays, seeker);
        assert.equal(choose(relays.toReversed(), seeker), first);
        const moved = relays.map((one) => ({
          ...one,
          load: one.load + (one.name === first ? 1 : 0) - (one.name === seeker.present ? 1 : 0),
        }));
        assert.equal(choose(moved, { ...seeker, present: first }), first, 'it settles at once');
      }),
    );
  });
});
