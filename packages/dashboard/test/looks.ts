/**
 * How a page looks, wide and narrow, in both colour schemes. Each width and each scheme is checked once: nothing that is looked for
 * depends on both. Pictures are taken when `MESH_SCREENSHOTS` is set, and then of every combination.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { axeFaults } from './axe.ts';
import type { Look } from './chromium.ts';
import { standingOut } from './layout.ts';
import type { Person } from './person.ts';

const PICTURES = join(import.meta.dirname, '../screenshots');
const pictured = process.env.MESH_SCREENSHOTS !== undefined;
/** The last is what pages are opened in. */
const CHECKED: readonly Look[] = [
  { scheme: 'dark', width: 390 },
  { scheme: 'light', width: 1440 },
];
/** The other combinations, for pictures. */
const FURTHER: readonly Look[] = [
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
];
export const LOOKS: readonly Look[] = pictured ? [...FURTHER, ...CHECKED] : CHECKED;
/** On a very wide screen: only whether everything finds room. */
export const WIDEST: Look = { scheme: 'light', width: 2560 };
const HEIGHT = 900;

/** Browser errors aside, one line for each fault: what stands out of the window, what is not accessible. `shown`: what has to be in the pictures. */
export async function faultsOfLooks(person: Person, name: string, shown?: Locator): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const look of LOOKS) {
    await takes(person, look);
    await shown?.scrollIntoViewIfNeeded();
    const wrong = [
      ...(await standingOut(person.page)),
      ...(CHECKED.includes(look) ? await axeFaults(person.page) : []),
    ];
    faults.push(...wrong.map((fault) => `${name} ${look.scheme} ${look.width}: ${fault}`));
    await photograph(person, name, look);
  }
  return faults;
}

/** Changes the window and the colour scheme, and waits until the page is drawn in them. */
export async function takes(person: Person, look: Look): Promise<void> {
  await resize(person, look);
  await person.settled();
}

async function resize({ page }: Person, { scheme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: scheme });
}

/** Of something that a page asks in the middle of an action, while the rest of it is busy. */
export async function photographBusy(person: Person, name: string): Promise<void> {
  for (const look of pictured ? LOOKS : []) {
    await resize(person, look);
    await photograph(person, name, look);
  }
}

export async function photograph({ page }: Person, name: string, { scheme, width }: Look): Promise<void> {
  if (!pictured) return;
  await mkdir(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}-${scheme}-${width}.png`), animations: 'disabled' });
}
