/** Starts a real panel beside a real coordinator, both on free ports with stores on disk, and talks to it as a browser does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Invitation, PanelAuditEntry, Problem, Scope, SignedIn, SignInState } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import type { TestClock } from '@meshwork/service/testing';
import { type RunningPanel, readConfig, type StartOptions, startPanel } from '../src/index.ts';
import { TestBrowser } from './test-browser.ts';

export { type Ask, type Got, TestBrowser } from './test-browser.ts';

export const PASSWORD = 'correct zebra lantern gravel';
export const ALL: Scope = { team: '*', surface: '*', environment: '*' };

export class TestPanel {
  readonly folder: string;
  readonly coordinator: TestCoordinator;
  readonly env: Readonly<Record<string, string>>;
  url = '';
  /** Where it really listens. */
  port = 0;
  setup_code: string | null = null;
  #running: RunningPanel | undefined;

  private constructor(folder: string, coordinator: TestCoordinator, env: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.coordinator = coordinator;
    this.env = {
      MESH_DATA_DIR: folder,
      MESH_PANEL_LISTEN: '127.0.0.1:0',
      MESH_COORDINATOR_URL: coordinator.url,
      MESH_PANEL_TOKEN_FILE: join(coordinator.folder, 'panel-token'),
      MESH_LOG_LEVEL: 'silent',
      ...env,
    };
  }

  /** The coordinator is its own, and ends with it. */
  static async start(env: Readonly<Record<string, string>> = {}, options: StartOptions = {}): Promise<TestPanel> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-panel-'));
    return await TestPanel.#startBeside(await TestCoordinator.startWithPanel(), { folder, env, options });
  }

  /** The same with a mesh CA. */
  static async startWithAuthorities(env: Readonly<Record<string, string>> = {}): Promise<TestPanel> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-panel-'));
    const token = { MESH_PANEL_TOKEN_FILE: join(folder, 'panel-token') };
    const coordinator = await TestCoordinator.startWithAuthorities(token);
    return await TestPanel.#startBeside(coordinator, { folder, env: { ...token, ...env }, options: {} });
  }

  static async #startBeside(
    coordinator: TestCoordinator,
    given: { folder: string; env: Readonly<Record<string, string>>; options: StartOptions },
  ): Promise<TestPanel> {
    const panel = new TestPanel(given.folder, coordinator, given.env);
    try {
      await panel.up(given.options);
    } catch (error) {
      await panel.close();
      throw error;
    }
    return panel;
  }

  /** One for both: what a test moves ahead is ahead everywhere. */
  get clock(): TestClock {
    return this.coordinator.clock;
  }

  async up(options: StartOptions = {}): Promise<RunningPanel> {
    this.#running = await startPanel(readConfig(this.env), { clock: this.clock, ...options });
    this.url = this.#running.url;
    this.port = this.#running.port;
    this.setup_code = this.#running.setup_code;
    return this.#running;
  }

  async down(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async close(): Promise<void> {
    await this.down();
    await this.coordinator.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** One that has never been here. */
  browser(): TestBrowser {
    return new TestBrowser(this.url);
  }

  /** Sets the panel up, and is the browser of its first owner. */
  async owner(name = 'grace'): Promise<TestBrowser> {
    const browser = this.browser();
    const body = { code: this.setup_code, name, password: PASSWORD };
    await browser.must<SignedIn>(201, 'POST', '/api/v1/setup', { body });
    return browser;
  }

  async signIn(name: string, password = PASSWORD): Promise<TestBrowser> {
    const browser = this.browser();
    await browser.must<SignInState>(200, 'POST', '/api/v1/auth/login', { body: { name, password } });
    return browser;
  }

  /** The signed-in person invites another. Accepts the invitation and returns the browser of the new person. */
  async person(by: TestBrowser, given: { name: string; role?: string; scope?: Scope }): Promise<TestBrowser> {
    const body = { role: 'operator', scope: ALL, ...given };
    const invitation = await by.must<Invitation>(201, 'POST', '/api/v1/users', { body });
    const browser = this.browser();
    await browser.must(201, 'POST', '/api/v1/invitation', { body: { code: invitation.code, password: PASSWORD } });
    return browser;
  }

  /** The newest entries of the panel's trail, as an owner reads them. */
  async trail(owner: TestBrowser, query = ''): Promise<readonly PanelAuditEntry[]> {
    const got = await owner.must<{ items: PanelAuditEntry[] }>(200, 'GET', `/api/v1/audit?limit=200${query}`);
    return got.items;
  }

  /** Waits for something that happens by itself. Fails after a minute. */
  until(isSo: () => Promise<boolean>): Promise<void> {
    return this.coordinator.until(isSo);
  }
}

export type { Problem };
