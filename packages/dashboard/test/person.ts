/** A person with a browser context of their own: what they do and see there. */
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import { complaintsOf } from './chromium.ts';
import { until } from './until.ts';

export const EVENTS = '/api/v1/coordinator/events';
const LOADING = '[aria-label="Loading"], [aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root';
/** Transitions: an element in the middle of one has neither its final place nor its final look. */
const MOVING = 'document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === "running")';
/** The page that the router was sent to is the one that is drawn. */
const ARRIVED =
  '__TSR_ROUTER__.state.status === "idle" && __TSR_ROUTER__.state.resolvedLocation?.href === __TSR_ROUTER__.state.location.href';

export class Person implements AsyncDisposable {
  readonly url: string;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors that the browser reported. */
  readonly complaints: string[];
  /** Requests of the page without a response yet. The event stream does not count: it never ends. */
  readonly #underWay = new Set<Request>();

  readonly #isFirst: boolean;

  private constructor(url: string, page: Page, isFirst: boolean) {
    this.url = url;
    this.context = page.context();
    this.page = page;
    this.#isFirst = isFirst;
    this.complaints = complaintsOf(page);
    page.on('request', (request) => {
      if (!isStream(request)) this.#underWay.add(request);
    });
    page.on('requestfinished', (request) => void this.#underWay.delete(request));
    page.on('requestfailed', (request) => void this.#underWay.delete(request));
  }

  static async at(url: string, context: BrowserContext): Promise<Person> {
    context.setDefaultTimeout(30_000);
    return new Person(url, await context.newPage(), true);
  }

  /** Browser errors other than refused requests: many tests expect those, and the page shows them itself. */
  get faults(): readonly string[] {
    return this.complaints.filter((complaint) => !/status of 4\d\d/.test(complaint));
  }

  /** Closes the tab, and with the first one the browser. */
  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#isFirst ? this.context.close() : this.page.close());
  }

  /** Another tab of the same browser. */
  async tab(): Promise<Person> {
    return new Person(this.url, await this.context.newPage(), false);
  }

  /** Opens an address of the panel, and waits until everything is there. */
  async opens(path: string): Promise<void> {
    this.#underWay.clear(); // a page that is left takes what it asked for with it
    await this.page.goto(new URL(path, this.url).href);
    await this.settled();
  }

  /** Goes to another page of the panel as a link leads there: what is loaded stays, which is several times faster than `opens`. */
  async goes(path: string): Promise<void> {
    if (this.page.url() === 'about:blank') return await this.opens(path);
    await this.page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
    await until(`${path} is reached`, async () => (await this.page.evaluate(ARRIVED)) === true);
    await this.settled();
  }

  /** Waits until the page has a title, all its requests are answered, and the result is drawn. */
  async settled(): Promise<void> {
    await this.page.locator('h1').first().waitFor();
    await until(`${this.page.url()} is drawn`, async () => {
      if (this.#underWay.size > 0 || (await this.page.locator(LOADING).count()) > 0) return false;
      await this.drawn();
      if ((await this.page.evaluate(MOVING)) === true) return false;
      return this.#underWay.size === 0 && (await this.page.locator(LOADING).count()) === 0;
    });
  }

  /** Two frames: one in which what has changed is laid out, and one after which it is to be seen. */
  async drawn(): Promise<void> {
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }

  /** Waits until the page with this title is there. */
  async sees(title: string | RegExp): Promise<void> {
    const exact = typeof title === 'string' ? { exact: true } : {};
    await this.page.getByRole('heading', { level: 1, name: title, ...exact }).waitFor();
  }

  async reads(text: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    await within.getByText(text).first().waitFor();
  }

  /** Waits until the page receives events. The label "Not live" must not match. */
  async isLive(): Promise<void> {
    await this.page.getByText('Live', { exact: true }).waitFor();
  }

  async presses(name: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    const exact = typeof name === 'string' ? { exact: true } : {};
    await within.getByRole('button', { name, ...exact }).click();
  }

  /** Chooses from the menu that a button opens. */
  async chooses(menu: string | RegExp, item: string): Promise<void> {
    await this.presses(menu);
    await this.page.getByRole('menuitem', { name: item, exact: true }).click();
  }

  /** Where something is typed, by its label; a list of suggestions that goes with it has the same one. */
  field(label: string | RegExp, within: Locator | Page = this.page): Locator {
    return within.getByLabel(label).and(this.page.locator('input, textarea')).first();
  }

  /** Types one of several things that a field takes. */
  async adds(text: string, label: string, within: Locator | Page = this.page): Promise<void> {
    await this.field(label, within).fill(text);
    await this.page.keyboard.press('Enter');
  }

  dialog(name?: string | RegExp): Locator {
    return this.page.getByRole('dialog', name === undefined ? {} : { name });
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Account of/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await this.sees('Sign in');
  }

  async signIn(name: string, password: string): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.locator('input[type=password]').fill(password);
    await this.presses('Sign in');
  }
}

export function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === EVENTS;
}
