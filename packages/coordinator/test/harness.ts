/** Starts a real coordinator on a free port with a store in a temporary folder, and talks to it over a real socket. */
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DelegationRequest, Problem, Scope, TokenWithSecret } from '@meshwork/contract';
import { TestClock } from '@meshwork/service/testing';
import { type RunningCoordinator, readConfig, startCoordinator } from '../src/index.ts';
import type { StartOptions } from '../src/main.ts';

export { TestClock };

export interface Ask {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Got<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

export class TestCoordinator {
  readonly folder: string;
  readonly clock: TestClock;
  readonly env: Readonly<Record<string, string>>;
  owner = '';
  /** The token of the panel, where it was started with one. */
  panel = '';
  url = '';
  /** Whether it has a mesh CA. Most tests need none, and making it takes a thread. */
  readonly #makesAuthorities: boolean;
  #running: RunningCoordinator | undefined;

  private constructor(folder: string, env: Readonly<Record<string, string>>, makesAuthorities: boolean) {
    this.folder = folder;
    this.#makesAuthorities = makesAuthorities;
    this.clock = new TestClock();
    this.env = { MESH_DATA_DIR: folder, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent', ...env };
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<TestCoordinator> {
    return TestCoordinator.#startIn(await mkdtemp(join(tmpdir(), 'mesh-coordinator-')), env);
  }

  /** With a mesh CA, once its revocation lists are there. */
  static async startWithAuthorities(env: Readonly<Record<string, string>> = {}): Promise<TestCoordinator> {
    return TestCoordinator.#withAuthorities(await mkdtemp(join(tmpdir(), 'mesh-coordinator-')), env);
  }

  static async #withAuthorities(folder: string, env: Readonly<Record<string, string>>): Promise<TestCoordinator> {
    const test = await TestCoordinator.#startIn(folder, env, true);
    await test.until(async () => (await test.ask('GET', '/v1/ca/crl')).text.split('BEGIN X509 CRL').length === 3);
    return test;
  }

  /** With a token for the panel, through which people speak. */
  static async startWithPanel(authorities?: 'with authorities'): Promise<TestCoordinator> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-coordinator-'));
    const env = { MESH_PANEL_TOKEN_FILE: join(folder, 'panel-token') };
    return authorities === undefined
      ? TestCoordinator.#startIn(folder, env)
      : TestCoordinator.#withAuthorities(folder, env);
  }

  static async #startIn(
    folder: string,
    env: Readonly<Record<string, string>>,
    makesAuthorities = false,
  ): Promise<TestCoordinator> {
    const test = new TestCoordinator(folder, env, makesAuthorities);
    try {
      await test.up();
    } catch (error) {
      await test.close();
      throw error;
    }
    return test;
  }

  /** Starts another coordinator on the same store, with the same master key. It is closed before this one: its folder is in this one's. */
  async joined(): Promise<TestCoordinator> {
    const folder = join(this.folder, 'second');
    await mkdir(folder, { mode: 0o700 });
    await copyFile(join(this.folder, 'master-key'), join(folder, 'master-key'));
    const env = { ...this.env, MESH_DATA_DIR: folder };
    const other = await (this.#makesAuthorities
      ? TestCoordinator.#withAuthorities(folder, env)
      : TestCoordinator.#startIn(folder, env));
    other.owner = this.owner;
    return other;
  }

  async up(options: Omit<StartOptions, 'clock'> = {}): Promise<RunningCoordinator> {
    this.#running = await startCoordinator(readConfig(this.env), {
      clock: this.clock,
      makes_authorities: this.#makesAuthorities,
      ...options,
    });
    this.url = this.#running.url;
    const written = this.#running.bootstrap_token_file;
    if (written !== null) this.owner = (await readFile(written, 'utf8')).trim();
    const { MESH_PANEL_TOKEN_FILE: panel } = this.env;
    if (panel !== undefined) this.panel = (await readFile(panel, 'utf8')).trim();
    return this.#running;
  }

  async down(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async close(): Promise<void> {
    await this.down();
    await rm(this.folder, { recursive: true, force: true });
  }

  ask<T = Problem>(method: string, path: string, ask: Ask = {}): Promise<Got<T>> {
    const token = ask.token === undefined ? this.owner : ask.token;
    return askAt<T>(this.url, method, path, { ...ask, token });
  }

  /** Makes a token as the owner, or as another caller, and fails the test if that does not work. */
  async token(
    given: { name?: string; scope?: Partial<Scope>; role?: string; days?: number; as?: string } = {},
  ): Promise<TokenWithSecret> {
    const got = await this.ask<TokenWithSecret>('POST', '/v1/auth/tokens', {
      body: {
        name: given.name ?? 'a token',
        scope: { ...ALL, ...given.scope },
        // What a token makes ends no later than itself.
        expires: this.inDays(given.days ?? (given.as === undefined ? 30 : 20)),
        ...(given.role === undefined ? {} : { role: given.role }),
      },
      ...(given.as === undefined ? {} : { token: given.as }),
    });
    if (got.status !== 201) throw new Error(`The token could not be made: ${got.text}`);
    return got.body;
  }

  /** Signs a person in, as the panel would. */
  async person(given: Partial<DelegationRequest> = {}): Promise<TokenWithSecret> {
    const body = { person: ADA, role: 'operator', scope: ALL, ...given };
    const got = await this.ask<TokenWithSecret>('POST', '/v1/auth/delegations', { token: this.panel, body });
    if (got.status !== 201) throw new Error(`The person could not sign in: ${got.text}`);
    return got.body;
  }

  /** Puts a policy into effect that allows everything within a boundary, networks behind it included. */
  async allowEverything(): Promise<void> {
    const open = { from: 'everyone', allow: ['*'], within: 'boundary' };
    const grants = ['everyone', '0.0.0.0/0', '::/0'].map((to) => ({ ...open, to }));
    const got = await this.ask('PUT', '/v1/acls', { body: { groups: { everyone: ['*'] }, grants } });
    if (got.status !== 200) throw new Error(`The policy could not be replaced: ${got.text}`);
  }

  /** Waits for something that happens by itself, such as what the coordinator concludes. Fails after a minute. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + 60_000;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw new Error('It did not come about.');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  inDays(days: number): string {
    return new Date(this.clock.now() + days * 24 * 3600 * 1000).toISOString();
  }
}

/** Asks a coordinator, wherever it runs. */
export async function askAt<T = Problem>(url: string, method: string, path: string, ask: Ask): Promise<Got<T>> {
  const { token = null } = ask;
  const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body));
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...ask.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json(;|$)/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (isJson && text ? JSON.parse(text) : undefined) as T,
  };
}

/** What nodes and clients of tests need of a coordinator. */
export type Asked = Pick<TestCoordinator, 'url' | 'owner' | 'ask'> & { readonly clock: Pick<TestClock, 'now'> };

export const ADA = { id: 'user_01jcqv4d2ye8r9k7d0w8m2b4np', name: 'Ada Lovelace' };
export const ALL: Scope = { team: '*', surface: '*', environment: '*' };
export const PLATFORM: Scope = { team: 'platform', surface: 'git', environment: 'production' };
