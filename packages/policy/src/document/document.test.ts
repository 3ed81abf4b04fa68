import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import type { PolicyProblem } from './problems.ts';
import { readPolicy } from './read-policy.ts';

/** One case: a text, and either the document that it is or everything that is wrong with it. */
interface Case {
  readonly about: string;
  /** By line. */
  readonly text: readonly string[];
  readonly document?: unknown;
  readonly problems?: readonly PolicyProblem[];
  /** Absent: none. */
  readonly more?: number;
}

const FOLDER = join(import.meta.dirname, '../../fixtures/documents');

describe('policy documents', () => {
  for (const file of readdirSync(FOLDER).sort()) {
    const expected: Case = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
    it(`${basename(file, '.json')}: ${expected.about}`, () => {
      assert.ok(expected.about.length > 0 && (expected.document === undefined) !== (expected.problems === undefined));
      const reading = readPolicy(expected.text.join('\n'));
      if (reading.ok) assert.deepEqual(JSON.parse(JSON.stringify(reading.document)), expected.document);
      else assert.deepEqual(reading, { ok: false, problems: expected.problems, more: expected.more ?? 0 });
    });
  }
});
