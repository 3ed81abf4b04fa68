/** Holds the glossary to the names in use, and code and documents to the glossary. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { sourceFiles } from './workspace.ts';

const root = resolve(import.meta.dirname, '..');
const read = (file: string) => ({ file, text: readFileSync(join(root, file), 'utf8') });
const [terms = '', unused = ''] = read('docs/glossary.md').text.split('## Words that are not used');
const sources = sourceFiles(root)
  .filter((file) => file !== 'tools/glossary.test.ts')
  .map(read);
const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root })
  .toString()
  .trim()
  .split('\n')
  .filter((file) => !file.startsWith('docs/decisions/'))
  .map(read)
  .map(({ file, text }) => ({ file, text: currentPart(file, text) }));

/** Names that stores of older versions have: a field of a document, and a kind of documents. */
const STORED_NAMES = /\btold_ms\b|'sighting'/g;

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

  it('is followed: no source and no document uses a word that it retires', () => {
    const retired = new Set(
      [...unused.matchAll(/^\| ([a-z, ]+) \|/gm)].flatMap(([, words]) => (words ?? '').split(', ')),
    );
    assert.ok(retired.size > 12);
    const found = [...sources, ...documents].flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, index) =>
        wordsOf(line.replaceAll(STORED_NAMES, ''))
          .filter((word) => retired.has(word))
          .map((word) => `${file}:${index + 1} ${word}`),
      ),
    );
    assert.deepEqual(found, []);
  });

  it('splits names into their words', () => {
    assert.deepEqual(wordsOf('readSighting(told_all, XMLDeeds)'), ['read', 'sighting', 'told', 'all', 'xml', 'deeds']);
  });
});

/** Words of prose, and the parts of names: `told_all` and `toldAll` are two words each. */
function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

/** What is not history or the list of retired words itself. */
function currentPart(file: string, text: string): string {
  if (file === 'docs/glossary.md') return terms;
  return file === 'CHANGELOG.md' ? text.split(/^## \[?\d/m, 1).join('') : text;
}
