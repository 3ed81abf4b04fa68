/** Accessibility of a page, as far as a program can check it (WCAG 2.2, A and AA). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** One line for each violation. */
export async function axeFaults(page: Page): Promise<string[]> {
  // Through the debugger, which the page's content security policy does not restrict.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(source);
  const runOnly = { type: 'tag', values: TAGS };
  // Passed rules would make up most of the result, and no test reads them.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false });
  const violations = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as AxeResults['violations'];
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
