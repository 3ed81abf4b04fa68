import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleProbeReport, exampleSelfCheck, type SelfCheck } from '@meshwork/contract';
import { selfCheckText } from './self-check-text.ts';

const out = { strong: (text: string) => text, tinted: (_: string, text: string) => text };
const plain = (check: SelfCheck) => selfCheckText(check, out).replaceAll(/ \([^)]* ago\)| \(in [^)]*\)/g, '');

test('a self-check is what was explained against what happened', () => {
  assert.equal(
    plain(exampleSelfCheck),
    `2315 explanations checked, 0 disagreed, 12 unknown (0.5 %)
since 2026-11-15T09:30:00Z

EXPLAINED  PASSED  BLOCKED  NOT KNOWN
allowed    1210    0        0
denied     0       1093     0
unknown    0       12       0`,
  );
});

test('each disagreement has what was said, what happened, and the command that tries it again', () => {
  const command = 'mesh explain laptop-3 100.64.0.7 tcp:22 --live';
  const explanation = { ...exampleProbeReport.explanation, verdict: 'allowed' as const, reason: 'Fine\u001b[2J.' };
  const one = {
    at: '2026-11-15T10:00:00Z',
    from: 'laptop-3',
    to: '100.64.0.7',
    port: 'tcp:22',
    report: { ...exampleProbeReport, agrees: false, explanation },
    command,
  };
  const text = plain({ ...exampleSelfCheck, disagreed: 1, disagreements: [one] });
  assert.ok(
    text.endsWith(`

DISAGREEMENT  laptop-3 to 100.64.0.7 on tcp:22, 2026-11-15T10:00:00Z
  explained  allowed: Fine.
  tried      blocked: The packet of laptop-3 arrived at git-1, and its packet
             filter dropped it.
  again      ${command}`),
    text,
  );
});

test('before the first check there is nothing to count', () => {
  const none = { ...exampleSelfCheck, checks: [], total: 0, unknown: 0 };
  assert.equal(plain(none), 'no explanation has been checked since 2026-11-15T09:30:00Z');
});
