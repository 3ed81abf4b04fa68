/** Holds the glossary to the names in use, and the code to the glossary. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { sourceFiles } from './workspace.ts';

const root = resolve(import.meta.dirname, '..');
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const [terms = '', unused = ''] = glossary.split('## Words that are not used');
const sources = sourceFiles(root)
  .filter((file) => file !== 'tools/glossary.test.ts')
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

describe('the glossary', () => {
  it('names what is in the code', () => {
    const names = [...terms.matchAll(/`(\w+)` \|$/gm)].map(([, name]) => name ?? '');
    assert.ok(names.length > 30);
    const words = new Set(sources.flatMap(({ text }) => text.match(/\b\w+\b/g) ?? []));
    assert.deepEqual(
      names.filter((name) => !words.has(name)),
      [],
    );
  });

  it('has each term once, in a sentence that is short', () => {
    const rows = [...terms.matchAll(/^\| ([\w -]+) \| (.+?) \| `/gm)].map(([, term, meaning]) => ({ term, meaning }));
    assert.equal(new Set(rows.map(({ term }) => term)).size, rows.length);
    for (const { term, meaning } of rows) assert.ok((meaning ?? '').length < 110, `${term}: ${meaning}`);
  });

  it('is followed: no source uses a word that it retires', () => {
    const retired = [...unused.matchAll(/^\| (\w+) \| (?!But)/gm)]
      .map(([, word]) => word ?? '')
      .filter((word) => word !== 'Not');
    assert.ok(retired.length > 5);
    const found = sources.flatMap(({ file, text }) =>
      retired.filter((word) => new RegExp(`\\b${word}\\b`, 'i').test(text)).map((word) => `${file}: ${word}`),
    );
    assert.deepEqual(found, []);
  });
});
