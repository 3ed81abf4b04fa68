import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handshakeAge_s } from './handshake-age.ts';

const NOW = Date.parse('2026-11-15T09:30:00Z');
const age = (clock_skew_s: number | undefined, said_s_ago: number) =>
  handshakeAge_s({ clock_skew_s }, { handshake_at: new Date(NOW - said_s_ago * 1000).toISOString() }, NOW);

test('a handshake is as old as it is by our clock, however wrong that of the node is', () => {
  assert.equal(age(0, 20), 20);
  assert.equal(age(600, -580), 20, 'ahead');
  assert.equal(age(-600, 620), 20, 'behind');
  assert.equal(age(600, -100), 500, 'a node that is ahead is not connected because of that');
});

test('one that lies in the future says nothing, except what the skew leaves', () => {
  assert.equal(age(undefined, -100), null);
  assert.equal(age(600, -700), null);
  assert.equal(age(600, -603), 0);
  assert.equal(handshakeAge_s({ clock_skew_s: 0 }, { handshake_at: null }, NOW), null);
  assert.equal(handshakeAge_s({ clock_skew_s: 0 }, {}, NOW), null);
});
