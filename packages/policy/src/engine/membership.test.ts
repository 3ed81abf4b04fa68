import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSelector } from '../document/selector.ts';
import { Membership } from './membership.ts';

const COUNT = 70;
const NOWHERE = { team: '*', surface: '*', environment: '*' };

/** Each group has its own tag and some of the groups after it. */
const someNesting = fc.array(fc.array(fc.integer({ min: 1, max: COUNT }), { maxLength: 3 }), {
  minLength: COUNT,
  maxLength: COUNT,
});

test('a member of a group is in all groups that contain it, however many groups there are', () => {
  fc.assert(
    fc.property(someNesting, fc.subarray(Array.from({ length: COUNT }, (_, index) => index)), (nesting, asked) => {
      const inner = nesting.map((steps, index) => steps.map((step) => index + step).filter((other) => other < COUNT));
      const groups = new Map(
        inner.map((others, index) => {
          const texts = [`tag:t${index}`, ...others.map((other) => `group:g${other}`)];
          return [`g${index}`, texts.flatMap((text) => parseSelector(text) ?? [])];
        }),
      );
      const membership = new Membership(
        groups,
        asked.map((index) => `g${index}`),
      );
      const holds = (outer: number, wanted: number): boolean =>
        outer === wanted || (inner[outer] ?? []).some((other) => other <= wanted && holds(other, wanted));
      for (const index of [0, 31, 32, 33, 63, 64, COUNT - 1]) {
        const expected = asked.filter((outer) => outer <= index && holds(outer, index)).map((outer) => `g${outer}`);
        assert.deepEqual(membership.groupsOf({ name: 'n', tags: [`t${index}`], boundary: NOWHERE }), expected);
      }
    }),
    { numRuns: 50 },
  );
});

test('a group with everybody inside it has everybody', () => {
  const selectors = (...texts: readonly string[]) => texts.flatMap((text) => parseSelector(text) ?? []);
  const groups = new Map([
    ['outer', selectors('group:all', 'tag:x')],
    ['all', selectors('*')],
    ['other', selectors('tag:x')],
  ]);
  const anybody = { name: 'anybody', tags: [], boundary: { team: '*', surface: '*', environment: '*' } };
  assert.deepEqual(new Membership(groups, groups.keys()).groupsOf(anybody), ['outer', 'all']);
});
