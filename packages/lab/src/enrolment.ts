import { enroll, newNodeKeys } from '@meshwork/agent';
import { type Client, createClient } from '@meshwork/client';
import type { Service } from '@meshwork/contract';
import type { FleetIdentity } from './identities.ts';

/** A whole fleet that enrols with one token meets its rate limit, which then says when to come back. */
const PATIENCE = { attempts: 60, base_ms: 200, max_ms: 60_000 };

export interface Newcomer {
  readonly name: string;
  readonly tags: readonly string[];
  readonly endpoint: string;
  readonly services: readonly Service[];
  /** Networks that it offers to forward to. */
  readonly routes: readonly string[];
}

/** Enrols simulated nodes, and removes them: what the fleet does with a token and not as a node. */
export class Registrar {
  readonly #client: Client;
  readonly #agentVersion: string;
  readonly #signal: AbortSignal;

  constructor(options: {
    readonly url: string;
    readonly token: string;
    readonly fetch: typeof globalThis.fetch;
    readonly agent_version: string;
    readonly signal: AbortSignal;
  }) {
    const { url, token, fetch, agent_version, signal } = options;
    this.#client = createClient({ url, token, fetch, signal, retry: PATIENCE, user_agent: 'meshwork-lab' });
    this.#agentVersion = agent_version;
    this.#signal = signal;
  }

  async enroll({ name, tags, endpoint, services, routes }: Newcomer): Promise<FleetIdentity> {
    const keys = newNodeKeys();
    const { node, interval_s, audience } = await enroll(this.#client, {
      name,
      keys,
      tags: [...tags],
      endpoints: [endpoint],
      services: [...services],
      routes: [...routes],
      agent_version: this.#agentVersion,
      signal: this.#signal,
    });
    return { node, name, key: keys.identity, interval_s, audience };
  }

  async remove(node: string): Promise<void> {
    await this.#client.call('nodes.remove', { params: { id: node } });
  }
}
