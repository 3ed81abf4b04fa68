import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured, Question } from './meter.ts';
import { type Pinned, startPinned } from './pinned.ts';

/** A coordinator on a core of its own with a new store, its limits lifted, and its owner's token at hand. */
export class BenchCoordinator implements AsyncDisposable {
  readonly port: number;
  readonly token: string;
  readonly #folder: string;
  readonly #process: Pinned;

  private constructor(folder: string, process: Pinned) {
    const { port, token } = process.ready as { port: number; token: string };
    this.port = port;
    this.token = token;
    this.#folder = folder;
    this.#process = process;
  }

  /** `settings`: what to change of them. `peers_each`: peers on either side of a node, instead of by boundary. */
  static async start(
    given: { settings?: object; peers_each?: number; cores?: 'one' | 'all' } = {},
  ): Promise<BenchCoordinator> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
    const script = new URL('./coordinator-process.ts', import.meta.url);
    const env = { MESH_DATA_DIR: folder, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'info' };
    const process = await startPinned(script, [String(given.peers_each ?? 0)], env, given.cores);
    const coordinator = new BenchCoordinator(folder, process);
    const api = { rate_per_s: 1_000_000, burst: 1_000_000 };
    await coordinator.ask('PATCH', '/v1/settings', { api, ...given.settings });
    return coordinator;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get process(): Pinned {
    return this.#process;
  }

  measure(question?: Question): Promise<Measured> {
    return this.#process.measure(question);
  }

  /** Returns the text of the answer, and throws unless it is a good one. */
  async ask(method: string, path: string, body?: object, token: string | null = this.token): Promise<string> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.end();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
