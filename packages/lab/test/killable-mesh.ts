/** A mesh whose coordinator is a process of its own, to be stopped or killed, and started again where it was. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@meshwork/client';
import type { SettingsPatch } from '@meshwork/contract';
import { Service } from '@meshwork/coordinator/testing';

const UNLIMITED = { rate_per_s: 1_000_000, burst: 1_000_000 };

export class KillableMesh implements AsyncDisposable {
  readonly url: string;
  /** The owner's. */
  readonly token: string;
  readonly client: Client;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #service: Service;

  private constructor(folder: string, env: Readonly<Record<string, string>>, token: string, service: Service) {
    this.#folder = folder;
    this.#env = env;
    this.#service = service;
    this.token = token;
    this.url = service.url;
    this.client = createClient({ url: service.url, token });
  }

  /** `env`: what it is configured with besides. */
  static async start(settings: SettingsPatch, env: Readonly<Record<string, string>> = {}): Promise<KillableMesh> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-lab-'));
    const service = await Service.start({ ...environment(folder, '127.0.0.1:0'), ...env });
    const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
    const mesh = new KillableMesh(folder, env, token, service);
    await mesh.client.call('settings.update', { body: { api: UNLIMITED, ...settings } });
    return mesh;
  }

  innerUrl(): Promise<string | null> {
    return this.#service.innerUrl();
  }

  beHostile(isHostile: boolean): void {
    this.#service.beHostile(isHostile);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#service.end(signal);
  }

  /** On the same port, with the same store. */
  async startAgain(): Promise<void> {
    this.#service = await Service.start({ ...environment(this.#folder, new URL(this.url).host), ...this.#env });
  }

  async restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.end(signal);
    await this.startAgain();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function environment(folder: string, listen: string): Record<string, string> {
  return { MESH_DATA_DIR: folder, MESH_COORDINATOR_LISTEN: listen, MESH_LOG_LEVEL: 'silent' };
}
