/** A real browser, one for a test file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Debian's without windows, which `npm test` installs: it needs a third less than the whole browser. It runs as root in a container, where its own sandbox cannot be set up. */
const EXECUTABLE = '/usr/bin/chromium-headless-shell';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

const HEIGHT = 900;

export class Chromium implements AsyncDisposable {
  readonly #folder: string;
  readonly #browser: Awaited<ReturnType<typeof chromium.launch>>;

  private constructor(folder: string, browser: Awaited<ReturnType<typeof chromium.launch>>) {
    this.#folder = folder;
    this.#browser = browser;
  }

  /** `flags`: further ones. */
  static async start(flags: readonly string[] = []): Promise<Chromium> {
    const folder = await mkdtemp(join(tmpdir(), 'meshwork-chromium-'));
    // The browser keeps its state in this folder, and nothing in the home folder of the user who runs the tests.
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
    return new Chromium(folder, await chromium.launch({ executablePath: EXECUTABLE, args: [...FLAGS, ...flags], env }));
  }

  /** A person at a browser of their own: nothing is shared with any other. */
  async person(look: Partial<Look> = {}, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const { scheme = 'light', width = 1440 } = look;
    return await this.#browser.newContext({
      colorScheme: scheme,
      viewport: { width, height: HEIGHT },
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What a page complained about: errors of its scripts, what its policy blocked, answers of 5xx. A sound page has nothing to say. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} from ${new URL(response.url()).pathname}`);
  });
  return complaints;
}
