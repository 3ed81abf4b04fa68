import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Explanation, exampleExplanation } from '@meshwork/contract';
import { columnsOf } from '../../terminal-text.ts';
import { explanationText } from './explanation-text.ts';

const plain = (explanation: Explanation) => explanationText(explanation, (_, text) => text);

test('an explanation is the verdict, the way to it and what would change it, in lines of 80', () => {
  const text = plain(exampleExplanation);
  assert.equal(
    text,
    `DENIED  No grant lets laptop-3 reach git-1 on tcp:22.

  ✓ source       laptop-3 is active, last seen 3 s ago.
  ✓ destination  git-1 is active, last seen 8 s ago.
  ! name         On laptop-3, git-1.mesh does not resolve: a node knows the
                 names of its peers, and git-1 is none. Packets are not
                 affected.
  ✓ boundary     Both are in platform/git/production.
  ✗ grant        developers -> git-servers allows tcp:22, and laptop-3 is not in
                 developers.

Fix:
  - Give laptop-3 the tag role:dev, which is what developers are known by.`,
  );
});

test('every verdict and every outcome has its own mark and colour', () => {
  const tints: string[] = [];
  for (const verdict of ['allowed', 'denied', 'unknown'] as const) {
    const outcome = ({ allowed: 'pass', denied: 'fail', unknown: 'unknown' } as const)[verdict];
    const steps = [{ check: 'link' as const, outcome, detail: 'It is.' }];
    explanationText({ ...exampleExplanation, verdict, steps, fix: [] }, (tint, text) => {
      tints.push(`${tint} ${text}`);
      return text;
    });
  }
  const expected = ['good ALLOWED', 'good ✓', 'bad DENIED', 'bad ✗', 'doubtful UNKNOWN', 'doubtful ?'];
  assert.deepEqual(tints, expected);
});

test('families that differ, limits, and the steps of a fix each have their lines', () => {
  const text = plain({
    ...exampleExplanation,
    verdict: 'unknown',
    reason: 'It depends on the address family: IPv4 is allowed, IPv6 is denied.',
    steps: [{ check: 'firewall', outcome: 'fail', detail: 'A rule drops it.' }],
    families: [
      { family: 4, address: '100.64.0.2', verdict: 'allowed', reason: 'It may.' },
      { family: 6, address: 'fd00:64::2', verdict: 'denied', reason: 'A rule drops it.' },
    ],
    conditions: [
      { node: 'git-1', rule: 'r1', up_to: { count: 5, per: 'second' }, dropped: 412, detail: 'Up to 5 a second.' },
    ],
    fix: ['1. Change the rule.\n2. Restart it.', 'Or this.'],
  });
  assert.equal(
    text,
    `UNKNOWN  It depends on the address family: IPv4 is allowed, IPv6 is denied.

  IPv4  ALLOWED  It may. (100.64.0.2)
  IPv6  DENIED   A rule drops it. (fd00:64::2)

  ✗ firewall  A rule drops it.

Limits:
  - Up to 5 a second.

Fix:
  - 1. Change the rule.
    2. Restart it.
  - Or this.`,
  );
});

test('nothing to fix is not said, and what came from elsewhere commands no terminal', () => {
  const steps = [{ check: 'source' as const, outcome: 'pass' as const, detail: '\u001b[2Jclear\n\u0007' }];
  const text = plain({ ...exampleExplanation, reason: 'Fine\u001b]0;x\u0007.', steps, fix: [] });
  assert.equal(text, 'DENIED  Fine.\n\n  ✓ source  clear');
  const long = { ...exampleExplanation, reason: '日本 '.repeat(60), fix: ['word '.repeat(60)] };
  for (const line of plain(long).split('\n')) assert.ok(columnsOf(line) <= 80, line);
});

test('an older coordinator says nothing of families and limits', () => {
  const { families: _families, conditions: _conditions, ...older } = exampleExplanation;
  assert.equal(plain(older as Explanation), plain(exampleExplanation));
});
