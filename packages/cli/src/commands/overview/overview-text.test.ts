import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type Overview } from '@meshwork/contract';
import { overviewText } from './overview-text.ts';

const overview: Overview = OPERATIONS['overview.show'].example.answer;
const plain = (given: Overview) => overviewText(given, (_, text) => text);

test('an overview has a line for each kind of thing, and what needs a person with its fix', () => {
  const text = plain(overview).replace(/\([^)]* ago\)|\(in [^)]*\)/, '(then)');
  assert.equal(
    text,
    `nodes       48: 47 active, 1 unreachable
operations  1 in progress, 0 failed recently
policy      version 7: 6 grants, 4 groups, 3 tests
explain     2315 checked, 0 disagreed, 12 unknown
relays      2 of 2 healthy
ingress     3 of 3 served
tokens      5 active, 0 expire within a week

CRITICAL  git-1 is unreachable (then)
          Its heartbeat has been overdue since 2026-11-15T09:35:00Z.
          Fix: Check that the machine and its agent are running and can reach
               the coordinator. If the node is gone permanently, remove it.`,
  );
});

test('an overview leaves out what the caller may not read', () => {
  const hidden = { operations: null, policy: null, explain: null, relays: null, ingress: null, tokens: null };
  const text = plain({ ...overview, ...hidden });
  assert.match(text, /^nodes {2}48: .*\n\nCRITICAL/);
});

test('an overview says when nothing is wrong, and how much it does not show', () => {
  assert.match(plain({ ...overview, attention: [], attention_total: 0 }), /\n\nNothing needs attention\.$/);
  assert.match(plain({ ...overview, attention_total: 9 }), /\n\nand 8 more$/);
});

test('what stands in an overview commands no terminal', () => {
  const [one] = overview.attention;
  assert.ok(one);
  const text = plain({ ...overview, attention: [{ ...one, title: '\u001b[2Jgone', fix: null }] });
  assert.ok(!text.includes('\u001b') && !text.includes('Fix:'));
});
