/** Whether everybody can use a page, as far as a program can tell (WCAG 2.2, A and AA). */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** One line for each thing that is wrong; none for a sound page. */
export async function axeFaults(page: Page): Promise<string[]> {
  // By the debugger, which the page's policy against foreign scripts does not bind.
  await page.evaluate(source);
  const results = (await page.evaluate(
    `axe.run(document, { runOnly: { type: 'tag', values: ${JSON.stringify(RULES)} } })`,
  )) as AxeResults;
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
