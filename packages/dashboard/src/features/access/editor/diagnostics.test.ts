import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Text } from '@codemirror/state';
import type { FailedTest, FieldError } from '@meshwork/contract';
import { faultsOf } from './diagnostics.ts';

interface Found {
  readonly problems?: FieldError[];
  readonly failed_tests?: FailedTest[];
}

function marked(text: string, { problems = [], failed_tests = [] }: Found): readonly string[] {
  const faults = faultsOf(Text.of(text.split('\n')), { valid: false, problems, failed_tests });
  return faults.map(({ from, to }) => text.slice(from, to));
}

describe('a mark in the editor', () => {
  it('covers the token at the position of a problem', () => {
    const line = '  "to" : 10.0.0.0/8, "from": "a \\" b" } /* open';
    const tokens = ['"to"', ':', '10.0.0.0/8', '"from"', '"a \\" b"', '}', '/* open'];
    const problems = tokens.map((token) => ({ pointer: '', detail: '', line: 2, column: line.indexOf(token) + 1 }));
    assert.deepEqual(marked(`{\n${line}`, { problems }), tokens);
  });

  it('covers a test that fails', () => {
    const failed = (test: number) => ({ test, from: 'a', to: 'b', expected: 'allow' as const, detail: '' });
    const text = '{\n  "tests": [{ "from": "a" }, // first\n    { "from": "b" }],\n}';
    assert.deepEqual(marked(text, { failed_tests: [failed(1), failed(0)] }), ['{ "from": "b" }', '{ "from": "a" }']);
  });
});
