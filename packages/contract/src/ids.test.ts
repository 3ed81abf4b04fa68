import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeBase32, ID_PREFIXES, type IdPrefix, isId, newId, timeOfId } from './ids.ts';

const bytes = (uuid: string) => Uint8Array.from(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
const fill = (value: Uint8Array) => (target: Uint8Array) => target.set(value);

test('a UUID is written as the TypeID specification writes it', () => {
  assert.equal(encodeBase32(bytes('0188bac7-4afa-78aa-bc3b-bd1eef28d881')), '01h2xcejqtf2nbrexx3vqjhp41');
  assert.equal(encodeBase32(bytes('00000000-0000-0000-0000-000000000000')), '00000000000000000000000000');
  assert.equal(encodeBase32(bytes('ffffffff-ffff-ffff-ffff-ffffffffffff')), '7zzzzzzzzzzzzzzzzzzzzzzzzz');
  assert.equal(encodeBase32(bytes('00000000-0000-0000-0000-000000000001')), '00000000000000000000000001');
  assert.equal(encodeBase32(bytes('00000000-0000-0000-0000-000000000020')), '00000000000000000000000010');
});

test('a new id is a UUIDv7 of its moment, whatever the random bits are', () => {
  const moment = 0x0188bac74afa;
  const published = bytes('0188bac7-4afa-78aa-bc3b-bd1eef28d881');
  assert.equal(newId('token', moment, fill(published)), 'token_01h2xcejqtf2nbrexx3vqjhp41');
  const ones = encodeBase32(bytes('0188bac7-4afa-7fff-bfff-ffffffffffff'));
  assert.equal(newId('token', moment, fill(new Uint8Array(16).fill(0xff))), `token_${ones}`);
  const zeros = encodeBase32(bytes('0188bac7-4afa-7000-8000-000000000000'));
  assert.equal(newId('token', moment, fill(new Uint8Array(16))), `token_${zeros}`);
});

test('ids sort by the time they were made', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      fc.pre(a !== b);
      assert.equal(newId('audit', a) < newId('audit', b), a < b);
    }),
  );
});

test('every new id is an id of its own kind, and of no other', () => {
  const prefixes = Object.keys(ID_PREFIXES) as IdPrefix[];
  for (const prefix of prefixes) {
    const id = newId(prefix, Date.UTC(2026, 10, 15));
    assert.deepEqual(
      prefixes.filter((other) => isId(other, id)),
      [prefix],
    );
  }
});

test('what is no TypeID is refused', () => {
  const suffix = '01h2xcejqtf2nbrexx3vqjhp41';
  assert.ok(isId('token', `token_${suffix}`));
  const refused = {
    'another prefix': `audit_${suffix}`,
    'no prefix': suffix,
    'an upper-case prefix': `TOKEN_${suffix}`,
    'a character too few': `token_${suffix.slice(1)}`,
    'a character too many': `token_${suffix}0`,
    'upper-case letters': `token_${suffix.toUpperCase()}`,
    'more than 128 bits': `token_8${suffix.slice(1)}`,
    'a line after it': `token_${suffix}\n`,
    'another id before it': `token_token_${suffix}`,
    nothing: '',
  };
  for (const [reason, text] of Object.entries(refused)) assert.equal(isId('token', text), false, reason);
  for (const letter of 'ilou') {
    assert.equal(isId('token', `token_${suffix.slice(0, -1)}${letter}`), false, `${letter} is not in the alphabet`);
  }
});

test('an id contains the time of its creation', () => {
  for (const moment of [0, 1, 0x0188bac74afa, 2 ** 48 - 1]) assert.equal(timeOfId(newId('token', moment)), moment);
});
