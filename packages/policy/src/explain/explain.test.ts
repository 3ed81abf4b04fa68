/**
 * The golden cases of `fixtures/explanations`: a policy, a mesh and a question, and the whole answer, word by word. Every
 * answer that an operator could not make sense of adds one.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ExplainCase, factsOf } from '../../test/explain-case.ts';
import { explain } from './explain.ts';
import type { Explanation } from './explanation.ts';

interface Golden extends ExplainCase {
  readonly expect: Explanation;
}

const folder = new URL('../../fixtures/explanations/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

test('there are golden cases', () => assert.ok(files.length >= 60, `only ${files.length}`));

for (const file of files) {
  const golden: Golden = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  test(`${file.replace('.json', '')}: ${golden.about}`, () => {
    assert.deepEqual(explain(factsOf(golden)), golden.expect);
  });
}
