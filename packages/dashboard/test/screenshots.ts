/** Screenshots of every page, kept as build artefacts. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Look } from './chromium.ts';

const FOLDER = join(import.meta.dirname, '../screenshots');

export async function photograph(page: Page, name: string, { scheme, width }: Look): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}-${scheme}-${width}.png`), animations: 'disabled' });
}
