import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOfPair, digestOfTerms, digestOfText, withItem } from './digest.ts';

type Pair = readonly [number, number];

const HALF = 2 ** 24;
const LARGEST = 2 ** 48 - 1;
/** With the four places below this makes 640,000 pairs. */
const SMALL = 400;
const RANDOM_PAIRS = 200_000;

/** As good as random, and the same each time. */
const randomPair = (index: number): Pair => [digestOfText(`one ${index}`), digestOfText(`other ${index}`)];

function* randomPairs(): Generator<Pair> {
  for (let index = 0; index < RANDOM_PAIRS; index++) yield randomPair(index);
}

/** Consecutive numbers in the lower or the upper half of either; with each pair there is the one the other way round. */
function* structuredPairs(): Generator<Pair> {
  for (let i = 1; i <= SMALL; i++) {
    for (let j = 1; j <= SMALL; j++) {
      yield [i, j];
      yield [i, j * HALF];
      yield [i * HALF, j];
      yield [i * HALF, j * HALF];
    }
  }
}

for (const [name, pairs] of [
  ['random', randomPairs],
  ['structured', structuredPairs],
] as const) {
  test(`no two of many ${name} pairs have the same digest`, () => {
    const byDigest = new Map<number, Pair>();
    for (const pair of pairs()) {
      const digest = digestOfPair(...pair);
      const same = byDigest.get(digest);
      if (same !== undefined) assert.fail(`${pair} has the digest of ${same}`);
      byDigest.set(digest, pair);
    }
    assert.ok(byDigest.size >= 200_000);
  });

  test(`the digest of any of many ${name} pairs is one that a digest can be`, () => {
    for (const pair of pairs()) {
      const digest = digestOfPair(...pair);
      if (!Number.isInteger(digest) || digest < 0 || digest > LARGEST) assert.fail(`${pair} has ${digest}`);
    }
  });
}

test('the digest of a pair depends on the order', () => {
  for (const [one, other] of [[1, 2], [0, LARGEST], [HALF, HALF - 1], [HALF, 1], randomPair(0)] as const) {
    assert.notEqual(digestOfPair(one, other), digestOfPair(other, one), `${one}, ${other}`);
  }
});

test('the smallest and the largest halves make digests like any others', () => {
  const corners = [0, 1, HALF - 1, HALF, LARGEST - 1, LARGEST];
  const digests = corners.flatMap((one) => corners.map((other) => digestOfPair(one, other)));
  for (const digest of digests) assert.ok(Number.isInteger(digest) && digest >= 0 && digest <= LARGEST, `${digest}`);
  assert.equal(new Set(digests).size, digests.length);
});

test('terms that two peers swap change the sum of all', () => {
  const peers = Array.from({ length: 60 }, (_, index) => digestOfText(`node_${index}`));
  const terms = Array.from({ length: 30 }, (_, index) => digestOfText(`["tcp:${index}"]`));
  for (const [one, other] of twoOf(peers)) {
    for (const [first, second] of twoOf(terms)) {
      const before = withItem(digestOfPair(one, first), digestOfPair(other, second));
      const after = withItem(digestOfPair(one, second), digestOfPair(other, first));
      if (before === after) assert.fail(`${one} and ${other} can swap ${first} and ${second}`);
    }
  }
});

test('the digest of terms is that of the peer and of the rest, as it was sent', () => {
  const ssh = { peer: 'node_1', allow: ['tcp:22'], forward: [], routes: [] };
  const rest = '{"allow":["tcp:22"],"forward":[],"routes":[]}';
  assert.equal(digestOfTerms(ssh), digestOfPair(digestOfText('node_1'), digestOfText(rest)));
  assert.notEqual(digestOfTerms(ssh), digestOfTerms({ ...ssh, peer: 'node_2' }));
});

function twoOf(numbers: readonly number[]): Pair[] {
  return numbers.flatMap((one, index) => numbers.slice(index + 1).map((other): Pair => [one, other]));
}
