import { isDeepStrictEqual } from 'node:util';
import type { AppliedSection, Observed, RelayLoad, RelayServerSection } from '@meshwork/contract';
import type { AgentLog } from '../../host/log.ts';
import { messageOf } from '../../message-of.ts';
import type { EngineTraits, OpenEngine, PlanInput, Work } from '../engine.ts';
import type { RelayServer, ServedRelay } from './relay-server.ts';

export const TRAITS: EngineTraits = {
  name: 'relay',
  sections: ['relay_server'],
  on_drift: ['relay_server'],
  parts: [], // it listens, and changes nothing of how the node reaches its coordinator
};

interface RelayEngineOptions {
  readonly server: RelayServer;
  readonly version: () => Promise<string | undefined>;
  readonly log: AgentLog;
}

/** The relay that the node runs, if it runs one. */
export class RelayEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #options: RelayEngineOptions;
  readonly #server: RelayServer;
  /** What is in effect. Undefined: not known. */
  #proven: RelayServerSection | null | undefined;
  #load: RelayLoad | null = null;
  #reported: RelayLoad | null | undefined;

  constructor(options: RelayEngineOptions) {
    this.#options = options;
    this.#server = options.server;
  }

  async versions(): Promise<Readonly<Record<string, string>>> {
    const version = await this.#options.version();
    return version === undefined ? {} : { coturn: version };
  }

  plan(_section: AppliedSection, { view }: PlanInput): Work | undefined {
    const { relay_server: wanted = null } = view.sections;
    if (this.#proven === wanted) return undefined;
    return async () => {
      this.#proven = undefined;
      if (wanted === null) await this.#server.remove();
      else await this.#server.serve(wanted);
      this.#proven = wanted;
      return {};
    };
  }

  distrust(): void {
    this.#proven = undefined;
  }

  async drift(): Promise<string | null> {
    return this.#proven == null ? null : await this.#server.fault();
  }

  /** Follows certificates and names that change, and counts. */
  async look(): Promise<boolean> {
    if (this.#proven == null) return this.#counted(null);
    try {
      await this.#server.refresh();
    } catch (error) {
      this.#options.log.warn(`the relay goes on with what it has: ${messageOf(error)}`);
    }
    return this.#counted(await this.#server.load());
  }

  /** Beginning to run a relay, and ceasing to, is news; what it carries goes with the next heartbeat. */
  #counted(load: RelayLoad | null): boolean {
    const isNews = (load === null) !== (this.#load === null);
    if (!isDeepStrictEqual(load, this.#load)) this.#load = load;
    return isNews;
  }

  observe(extent: 'changes' | 'everything'): Pick<Observed, 'relay_load'> {
    if (extent === 'changes' && this.#load === this.#reported) return {};
    this.#reported = this.#load;
    return { relay_load: this.#load };
  }

  async diagnose() {
    const served: ServedRelay | undefined = this.#server.served;
    return { relay: served === undefined ? null : { ...served, load: this.#load } };
  }
}
