import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_POLICY_TEXT } from './default-policy.ts';
import { LIMITS } from './limits.ts';
import { type PolicyReading, readPolicy } from './read-policy.ts';

const VALID = JSON.stringify(
  {
    groups: { developers: ['tag:role:dev', 'node:bastion-1'], 'git-servers': ['group:developers', 'scope:a/*/b', '*'] },
    grants: [
      { from: 'developers', to: 'git-servers', allow: ['tcp:22', 'udp:1-9', 'icmp'], when: { fresh: true, tag: 'a' } },
      { from: 'developers', to: '10.20.0.0/16', allow: ['*'], via: 'git-servers', expires: '2027-01-01T00:00:00Z' },
    ],
    tests: [{ from: 'group:developers', allow: ['git-1:tcp:22'], deny: ['[fd00::1]:icmp'] }],
    stale: 'drop',
    tag_owners: { 'tag:role:*': ['scope:a/*/b'], 'node:bastion-1': [] },
    domain_owners: { '*.example.com': ['scope:a/*/*'] },
  },
  undefined,
  1,
);

/** Every problem stands somewhere in the text, or right behind it, and says something. */
function assertAnswered(text: string, reading: PolicyReading = readPolicy(text)): void {
  if (reading.ok) return;
  assert.ok(reading.problems.length > 0 && reading.problems.length <= LIMITS.problems);
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  for (const { line, column, detail } of reading.problems) {
    const length = lines[line - 1]?.length;
    assert.ok(
      length !== undefined && column >= 1 && column <= length + 1,
      `${line}:${column} of ${JSON.stringify(text)}`,
    );
    assert.match(detail, /^\S.*[.?]$/s);
  }
}

function onlyProblem(text: string) {
  const reading = readPolicy(text);
  assert.ok(!reading.ok);
  const [problem] = reading.problems;
  assert.ok(problem !== undefined && reading.problems.length === 1 && reading.more === 0);
  return problem;
}

describe('reading a policy', () => {
  it('takes the policy of a fresh installation, which opens nothing but a ping within a boundary', () => {
    const reading = readPolicy(DEFAULT_POLICY_TEXT);
    assert.ok(reading.ok);
    const { groups, grants, tests, stale } = reading.document;
    assert.deepEqual({ ...groups }, { everyone: ['*'] });
    assert.deepEqual(
      grants.map(({ note: _, ...grant }) => grant),
      [{ from: 'everyone', to: 'everyone', allow: ['icmp'], within: 'boundary' }],
    );
    assert.deepEqual([tests, stale], [[], 'keep']);
  });

  it('has no group that is not in the text', () => {
    const reading = readPolicy('{}');
    assert.ok(reading.ok);
    assert.equal('constructor' in reading.document.groups, false);
    assert.equal(Object.getPrototypeOf(reading.document.groups), null);
  });

  it('answers every text with a policy or with problems that stand in it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => assertAnswered(text)));
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\/* \n\r\t1',
      '//',
      '/*',
      '*/',
      'null',
      '"groups"',
      '"a"',
      '\ud800',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => assertAnswered(parts.join(''))),
      { numRuns: 2_000 },
    );
  });

  it('answers every slip in a valid policy', () => {
    assert.ok(readPolicy(VALID).ok);
    const slip = fc.record({
      at: fc.nat(VALID.length),
      removed: fc.nat(12),
      added: fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom('"', '{', '}', ']', ',', ':', '\\', '//', '/*', '*'),
      ),
    });
    const slips = fc.array(slip, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(slips, (made) => {
        const text = made.reduce(
          (before, { at, removed, added }) => before.slice(0, at) + added + before.slice(at + removed),
          VALID,
        );
        assertAnswered(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('reads as JSON what is JSON, and nothing else but comments and trailing commas', () => {
    const pieces = fc.constantFrom(...'{}[]:,"\\ 1-0.etn', 'true', 'null', '"a"', '"a":', '\\u00', '1e5', '01');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = `{"stale":${parts.join('')}}`;
        fc.pre(!/,\s*[}\]]/.test(text));
        const reading = readPolicy(text);
        // Only a problem of the text as such has no pointer.
        const unreadable = !reading.ok && reading.problems.every(({ pointer }) => pointer === '');
        assert.equal(unreadable, !isJson(text), text);
      }),
      { numRuns: 3_000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

describe('reading a hostile text', () => {
  const MEGA = 1_000_000;

  it('stops at the bracket that is too deep', () => {
    assert.deepEqual(onlyProblem('['.repeat(10 * MEGA)), {
      line: 1,
      column: LIMITS.depth + 1,
      pointer: '',
      detail: 'This is nested more than 32 levels deep. No policy needs more than 5.',
    });
    const atTheLimit = `{"a":${'['.repeat(LIMITS.depth - 1)}${']'.repeat(LIMITS.depth - 1)}}`;
    assert.equal(onlyProblem(atTheLimit).pointer, '/a');
    assert.equal(onlyProblem(`[${atTheLimit}]`).column, LIMITS.depth + 5);
  });

  it('passes over megabytes of nothing', () => {
    assert.match(onlyProblem(' '.repeat(10 * MEGA)).detail, /^There is no policy/);
    assert.match(onlyProblem('\n'.repeat(10 * MEGA)).detail, /^There is no policy/);
    assert.ok(readPolicy(`${'//\n'.repeat(MEGA)}{}`).ok);
    assert.ok(readPolicy(`{${'/**/'.repeat(MEGA)}}`).ok);
    assert.match(onlyProblem('/'.repeat(10 * MEGA)).detail, /^There is no policy/);
    assert.match(onlyProblem(`/*${'*'.repeat(10 * MEGA)}`).detail, /^This comment does not end/);
  });

  it('does not repeat megabytes', () => {
    const long = 'x'.repeat(5 * MEGA);
    for (const text of [`"${long}"`, `{"${long}":1}`, `{"stale":"${long}"}`, long, `{"groups":{"a":["${long}"]}}`]) {
      const { detail, pointer } = onlyProblem(text);
      assert.ok(detail.length < 500 && pointer.length < 500);
    }
    assert.equal(onlyProblem(`{"grants":[],"${'\\u0041'.repeat(MEGA)}":1}`).pointer, '');
  });

  it('counts what it does not tell', () => {
    const duplicates = readPolicy(`{${'"stale":"keep",'.repeat(100_000)}}`);
    assert.ok(!duplicates.ok);
    assert.deepEqual([duplicates.problems.length, duplicates.more], [LIMITS.problems, 99_999 - LIMITS.problems]);
    const groups = Array.from({ length: LIMITS.groups }, (_, index) => `"${'group-'.repeat(9)}${index}":[]`).join();
    const grants = `{"from":"${'gruop-'.repeat(9)}","to":"${'x'.repeat(60)}","allow":["*"]},`.repeat(LIMITS.grants);
    const strangers = readPolicy(`{"groups":{${groups}},"grants":[${grants}]}`);
    assert.ok(!strangers.ok);
    assert.equal(strangers.problems.length + strangers.more, 2 * LIMITS.grants);
  });

  it('refuses more values than it would keep', () => {
    const { detail, column } = onlyProblem(`[${'1,'.repeat(5 * MEGA)}]`);
    assert.deepEqual(
      [detail, column],
      ['A policy can have 500,000 names and values at most. Here they end.', 1_000_002],
    );
    assert.match(onlyProblem(' '.repeat(LIMITS.characters + 1)).detail, /^The text is too long: 16,777,216 characters/);
  });

  it('tells where a list becomes too long', () => {
    const list = (length: number, element: (index: number) => string) =>
      Array.from({ length }, (_, i) => element(i)).join();
    const grant = '{"from":"a","to":"a","allow":["*"]}';
    const cases: readonly [text: string, pointer: string, detail: string][] = [
      [
        `{"groups":{${list(2_001, (i) => `"g${i}":[]`)}}}`,
        '/groups/g2000',
        'There are 2,001 groups; 2,000 are the most.',
      ],
      [
        `{"groups":{"a":[${list(2_001, (i) => `"node:n${i}"`)}]}}`,
        '/groups/a/2000',
        'There are 2,001 selectors in this group; 2,000 are the most.',
      ],
      [
        `{"groups":{"a":[]},"grants":[${list(10_001, () => grant)}]}`,
        '/grants/10000',
        'There are 10,001 grants; 10,000 are the most.',
      ],
      [
        `{"groups":{"a":[]},"grants":[{"from":"a","to":"a","allow":[${list(101, (i) => `"tcp:${2 * i + 1}"`)}]}]}`,
        '/grants/0/allow/100',
        'There are 101 entries in this list; 100 are the most.',
      ],
      [
        `{"tests":[${list(1_001, () => '{"from":"a","deny":["b:icmp"]}')}]}`,
        '/tests/1000',
        'There are 1,001 tests; 1,000 are the most.',
      ],
      [
        `{"tests":[{"from":"a","deny":[${list(1_001, (i) => `"b:tcp:${i + 1}"`)}]}]}`,
        '/tests/0/deny/1000',
        'There are 1,001 targets in this list; 1,000 are the most.',
      ],
      [
        `{"tests":[${list(7, () => `{"from":"a","allow":[${list(400, (i) => `"b:tcp:${i + 1}"`)}],"deny":[${list(400, (i) => `"c:tcp:${i + 1}"`)}]}`)}]}`,
        '/tests/6',
        'There are 5,600 targets in all tests together; 5,000 are the most.',
      ],
    ];
    // What is too much is not looked at.
    const wrongThen = `{"groups":{"a":[${list(2_000, (i) => `"node:n${i}"`)},1,2,3]}}`;
    assert.equal(onlyProblem(wrongThen).pointer, '/groups/a/2000');
    for (const [text, pointer, detail] of cases) {
      const problem = onlyProblem(text);
      assert.deepEqual([problem.pointer, problem.detail], [pointer, detail]);
    }
  });

  it('follows a chain through every group, and names only some of it', () => {
    const chain = (length: number, last: string) =>
      `{"groups":{${Array.from({ length }, (_, i) => `"g${i}":["${i + 1 < length ? `group:g${i + 1}` : last}"]`).join()}}}`;
    assert.ok(readPolicy(chain(LIMITS.groupsInChain, '*')).ok);
    const tooLong = onlyProblem(chain(LIMITS.groupsInChain + 1, '*'));
    assert.equal(tooLong.pointer, '/groups/g0/0');
    assert.equal(
      onlyProblem(chain(LIMITS.groups, '*')).detail,
      '2,000 groups are inside each other here: g0 -> g1 -> g2 -> g3 -> g4 -> g5 -> g6 -> g7 -> g8 -> g9 -> … -> g1998 -> g1999. 32 are the most.',
    );
    assert.equal(
      onlyProblem(chain(LIMITS.groups, 'group:g0')).detail,
      'A group cannot contain itself: g0 -> g1 -> g2 -> g3 -> g4 -> g5 -> g6 -> g7 -> g8 -> g9 -> … -> g1999 -> g0. Remove one of these steps.',
    );
  });
});
