/** Holds comments to the files they speak of, as `docs.test.ts` does for pages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { parseSync } from 'oxc-parser';
import { packageOf, readWorkspace } from './workspace.ts';

const root = resolve(import.meta.dirname, '..');
const workspace = readWorkspace(root);
/** What a comment invents to show how something would look, and what other programs have. */
const INVENTED = /^(\.\/)?x\.ts$|^packages\/store\/src\/x\.ts$|<|…|\*/;

describe('comments', () => {
  it('name source files and records of decisions that are there', () => {
    const gone = workspace.files.flatMap((file) =>
      namedIn(file)
        .filter(({ path }) => !INVENTED.test(path) && !isThere(file, path))
        .map(({ line, path }) => `${file}:${line} ${path}`),
    );
    assert.deepEqual(gone, []);
  });
});

function namedIn(file: string): readonly { readonly line: number; readonly path: string }[] {
  const source = readFileSync(join(root, file), 'utf8');
  const lineOf = (offset: number) => source.slice(0, offset).split('\n').length;
  return parseSync(file, source).comments.flatMap(({ value, start }) => {
    const paths = value.matchAll(/`([\w./-]+\.tsx?)`|\b(docs\/decisions\/\d{4})\b/g);
    return [...paths].map((match) => ({ line: lineOf(start + match.index), path: match[1] ?? match[2] ?? '' }));
  });
}

/** As seen from the file, from the source of its package, or from the root. */
function isThere(file: string, path: string): boolean {
  if (path.startsWith('docs/decisions/')) return DECISIONS.has(path.slice(-4));
  const home = packageOf(workspace, file)?.folder ?? '.';
  const starts = [dirname(file), join(home, 'src'), home, 'packages', '.'];
  return starts.some((start) => existsSync(join(root, start, path)));
}

const DECISIONS = new Set(
  [...readFileSync(join(root, 'docs/decisions/README.md'), 'utf8').matchAll(/\[(\d{4})\]/g)].map(
    ([, number]) => number,
  ),
);
