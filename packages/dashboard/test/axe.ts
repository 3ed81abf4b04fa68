/** Whether everybody can use a page, as far as a program can tell (WCAG 2.2, A and AA). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Those that depend on colours: of a page in its other scheme they are all that can differ. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** One line for each thing that is wrong; none for a sound page. */
export async function axeFaults(page: Page, about: 'everything' | 'colours'): Promise<string[]> {
  // By the debugger, which the page's policy against foreign scripts does not bind.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source);
  const runOnly = about === 'everything' ? { type: 'tag', values: TAGS } : { type: 'rule', values: OF_COLOURS };
  // What a page has right is much, and nobody reads it.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false });
  const violations = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as AxeResults['violations'];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
