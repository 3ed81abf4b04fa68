/**
 * The panel as a client of the coordinator. Start here. `panel-credential.ts` is the panel's own token, `person-tokens.ts` has those of
 * people, `retirements.ts` ends tokens that people may no longer have; `http/proxy/` forwards what they request.
 */
import { type Client, createClient } from '@meshwork/client';
import type { Log } from '@meshwork/service';
import type { Clock } from '@meshwork/time';
import type { Ledger } from '../ledger/ledger.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { CoordinatorWatch } from './coordinator-watch.ts';
import { Entries } from './entries.ts';
import { OpenAnswers } from './open-answers.ts';
import { PanelCredential } from './panel-credential.ts';
import { PersonTokens } from './person-tokens.ts';
import { Reachability } from './reachability.ts';
import { Retirements } from './retirements.ts';
import { fetchTrusting, type Trust } from './trust.ts';
import { Upstream } from './upstream.ts';

/** Ours: for requests of the panel itself, while a person waits. */
const PATIENCE_MS = 5000;
const RETRY = { attempts: 3, base_ms: 100, max_ms: 1000 };

interface CoordinatorParts {
  readonly url: string;
  readonly token_file: string;
  /** The certificate to trust at that address. */
  readonly trust: Trust;
  readonly ledger: Ledger;
  readonly sessions: Pick<Sessions, 'userOf'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Coordinator {
  /** What people may do, and the tokens behind it: `PersonAccess` of the sessions. */
  readonly people: PersonTokens;
  /** What is to end of what people made. */
  readonly retirements: Retirements;
  /** What lets people into services. */
  readonly entries: Entries;
  /** For whatever else the panel asks by itself. */
  readonly client: Client;
  readonly #reachability = new Reachability();
  readonly #watch: CoordinatorWatch;
  readonly #upstream: Upstream;
  readonly #open: OpenAnswers;

  constructor({ url, token_file: file, trust, ...parts }: CoordinatorParts) {
    this.client = createClient({
      url,
      fetch: fetchTrusting(trust),
      timeout_ms: PATIENCE_MS,
      retry: RETRY,
      user_agent: 'meshwork-panel',
    });
    const { client } = this;
    const credential = new PanelCredential({ file, client, clock: parts.clock });
    const reachability = this.#reachability;
    this.entries = new Entries({ ...parts, client, credential });
    const { entries } = this;
    this.retirements = new Retirements({ ...parts, client, credential });
    const { retirements } = this;
    this.people = new PersonTokens({ ...parts, client, credential, reachability, retirements });
    this.#watch = new CoordinatorWatch({
      credential,
      reachability,
      answered: () => entries.announce(),
      log: parts.log,
    });
    this.#upstream = new Upstream(url, trust);
    this.#open = new OpenAnswers(this.people);
    parts.ledger.watch('user', (_before, after) => {
      const unended = (error: unknown) => parts.log.error({ err: error }, 'a token could not be ended');
      if (after !== undefined) this.people.endOutdated(after).catch(unended);
    });
  }

  /** Looks whether the coordinator is there, and goes on looking. It need not be there. */
  async start(): Promise<void> {
    await this.#watch.start();
    void this.retirements.settle(); // what an earlier start left; it never throws
  }

  /** People reach the panel there from now on. */
  async foundAt(origin: string): Promise<void> {
    this.entries.foundAt(origin);
    if (this.#reachability.reachable) await this.entries.announce();
  }

  /** A check of `/readyz`. */
  readiness() {
    return this.#watch.readiness();
  }

  /** Requests that wait for the coordinator, streams of events among them. */
  get waiting(): number {
    return this.#open.size;
  }

  /** What it takes to pass on what people ask (`http/proxy/`). */
  get passing() {
    return { tokens: this.people, open: this.#open, upstream: this.#upstream, reachability: this.#reachability };
  }

  /** At shutdown: ends requests that wait or follow events. */
  dismiss(): void {
    this.#open.dismiss();
  }

  async close(): Promise<void> {
    this.people.close();
    await this.retirements.close();
    await this.#watch.close();
    await this.#upstream.close();
  }
}
