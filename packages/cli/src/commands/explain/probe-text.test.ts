import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProbeReport, exampleProbeReport as report } from '@meshwork/contract';
import { columnsOf } from '../../terminal-text.ts';
import { probeText } from './probe-text.ts';

const plain = (given: ProbeReport) => probeText(given, (_, text) => text);
const { attempt, arrival, explanation } = report;
assert.ok(attempt !== null && arrival !== null);

test('an attempt stands beside the explanation, with what either end saw', () => {
  assert.equal(
    plain({ ...report, explanation: { ...explanation, steps: explanation.steps.slice(0, 1) } }),
    `explained  DENIED   No grant lets laptop-3 reach git-1 on tcp:22.
tried      BLOCKED  The packet of laptop-3 arrived at git-1, and its packet
                    filter dropped it.

The attempt agrees with the explanation.

  attempt  laptop-3 to 100.64.0.7 on tcp:22: no answer within 400 ms
  arrival  1 packet arrived at git-1 directly on mesh0; none passed its packet
           filters.
  rule     inet mesh policy_in: counter name "denied_in" drop
  took     612 ms in all

  ✓ source  laptop-3 is active, last seen 3 s ago.

Fix:
  - Give laptop-3 the tag role:dev, which is what developers are known by.`,
  );
});

test('a disagreement is called what it is, in red', () => {
  const tints: string[] = [];
  const given = { ...report, agrees: false, explanation: { ...explanation, verdict: 'allowed' as const } };
  const text = probeText(given, (tint, word) => {
    tints.push(`${tint} ${word}`);
    return word;
  });
  assert.match(
    text.replaceAll(/\s+/g, ' '),
    /DISAGREEMENT Explain said allowed, the attempt was blocked\. This is a bug in Meshwork: please report it with this output\./,
  );
  assert.deepEqual(tints.slice(0, 3), ['good ALLOWED', 'bad BLOCKED', 'bad DISAGREEMENT']);
});

test('where there is nothing to compare, it is said why', () => {
  const unknown = { ...explanation, verdict: 'unknown' as const };
  const untried = { ...report, reality: 'unknown' as const, agrees: null, attempt: null, arrival: null };
  assert.match(plain(untried), /\n\nThere is no outcome to compare with the explanation\.\n\n {2}✓ source/);
  assert.match(
    plain({ ...report, agrees: null, explanation: unknown }),
    /Explain could not tell\. The attempt was blocked\./,
  );
  assert.match(plain({ ...report, agrees: null }), /holds up to a rate, which a single attempt does not show\./);
});

test('every outcome has words, and what came from elsewhere commands no terminal', () => {
  const tried = (given: Partial<typeof attempt>) =>
    /attempt {2}(.*)/.exec(plain({ ...report, attempt: { ...attempt, took_ms: 3, ...given } }))?.[1];
  const start = 'laptop-3 to 100.64.0.7 on tcp:22: ';
  assert.equal(tried({ outcome: 'connected' }), `${start}connected after 3 ms`);
  assert.equal(tried({ outcome: 'answered' }), `${start}answered after 3 ms`);
  assert.equal(tried({ outcome: 'refused' }), `${start}refused after 3 ms; nothing listens`);
  assert.equal(tried({ outcome: 'sent' }), `${start}sent, and no answer is expected`);
  assert.equal(tried({ outcome: 'unreachable', detail: 'E\u001b[2JNET' }), `${start}unreachable after 3 ms (ENET)`);
  const arrived = (given: Partial<typeof arrival>) => plain({ ...report, arrival: { ...arrival, ...given } });
  assert.match(
    arrived({ arrived: 0, passed: 0, interface: null, rule: null }),
    /arrival {2}Nothing arrived at git-1\.\n/,
  );
  assert.match(
    arrived({ arrived: 2, passed: 2, path: 'relay' }),
    /2 packets arrived at git-1 through a relay on mesh0; all passed/,
  );
  assert.match(
    arrived({ arrived: 2, passed: 1, path: 'none', interface: null }),
    /2 packets arrived at git-1; 1 passed/,
  );
  assert.match(plain({ ...report, arrival: null }), /arrival {2}git-1 did not report what arrived\./);
  const long = { ...report, reason: 'word '.repeat(60), arrival: { ...arrival, rule: 'rule '.repeat(60) } };
  for (const line of plain(long).split('\n')) assert.ok(columnsOf(line) <= 80, line);
});
