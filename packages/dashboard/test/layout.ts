/** Elements wider than the window, which make the whole page scroll sideways. */
import type { Page } from 'playwright-core';

/** One line for each such element. */
export async function standingOut(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(() => {
    const { scrollWidth } = document.scrollingElement;
    if (scrollWidth <= innerWidth) return [];
    const wide = [...document.body.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5);
    const innermost = wide.filter((one) => ![...one.children].some((child) => wide.includes(child)));
    return [scrollWidth + ' px in ' + innerWidth, ...innermost.slice(0, 5).map((one) => one.outerHTML.slice(0, 160))];
  })()`)) as string[];
}
