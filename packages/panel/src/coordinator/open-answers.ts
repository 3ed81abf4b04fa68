import { MeshError } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';
import type { Delegation } from './delegation.ts';
import type { PersonTokens } from './person-tokens.ts';

/** A session that ends elsewhere, at another panel or for want of use, is noticed within this time. */
const LOOK_MS = 1000;
/** Of one session at a time. A browser keeps six connections to one host. */
const MAX_OPEN = 32;
/** Of one person in all their sessions, so that one person cannot use up all connections. */
const MAX_OPEN_OF_PERSON = 96;

interface Open {
  readonly session: Stored<'session'>;
  /** It waits for something to happen, for as long as that takes. */
  readonly patient: boolean;
  readonly stop: AbortController;
  delegation: Delegation | undefined;
}

/**
 * The requests that wait for an answer or read a long one, such as a stream of events. Each ends when its session does, or when
 * the person's rights change; that it is open does not keep the session from ending.
 */
export class OpenAnswers {
  readonly #tokens: PersonTokens;
  readonly #open = new Set<Open>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tokens: PersonTokens) {
    this.#tokens = tokens;
  }

  get size(): number {
    return this.#open.size;
  }

  begin(session: Stored<'session'>, { patient }: { readonly patient: boolean }): OpenAnswer {
    this.#ensureRoom(session);
    const open: Open = { session, patient, stop: new AbortController(), delegation: undefined };
    this.#open.add(open);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return {
      stopped: open.stop.signal,
      speaksWith: (delegation) => {
        open.delegation = delegation;
        const stop = () => open.stop.abort(this.#tokens.whyEnded(session));
        delegation.ended.addEventListener('abort', stop, { once: true, signal: open.stop.signal });
        if (delegation.ended.aborted) stop();
      },
      done: () => this.#done(open),
    };
  }

  /** At shutdown. A request that waits for a change would delay it; the others are soon done. */
  dismiss(): void {
    const reason = new MeshError('shutting_down', 'The panel is shutting down. Try again in a moment.');
    for (const { patient, stop } of this.#open) if (patient) stop.abort(reason);
  }

  #ensureRoom({ id, body }: Stored<'session'>): void {
    let [ofSession, ofPerson] = [0, 0];
    for (const { session } of this.#open) {
      if (session.id === id) ofSession += 1;
      if (session.body.user === body.user) ofPerson += 1;
    }
    if (ofSession < MAX_OPEN && ofPerson < MAX_OPEN_OF_PERSON) return;
    const whose =
      ofSession < MAX_OPEN ? `${ofPerson} requests of this person` : `${ofSession} requests of this session`;
    throw new MeshError('rate_limited', `${whose} are already open.`, { retry_after_s: 1 });
  }

  #look(): void {
    for (const { session, patient, delegation, stop } of this.#open) {
      if (delegation === undefined) continue;
      // A request with a replaced cookie may not come from the person. One that is soon done may finish.
      const isGood = this.#tokens.isGood(session, delegation) && !(patient && this.#tokens.isRenewed(session));
      if (!isGood) stop.abort(this.#tokens.whyEnded(session));
    }
  }

  #done(open: Open): void {
    this.#open.delete(open);
    open.stop.abort(); // removes the listeners
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export interface OpenAnswer {
  /** Aborted when it must end, with the error that says why. */
  readonly stopped: AbortSignal;
  /** From now on it also ends with this token. */
  speaksWith(delegation: Delegation): void;
  done(): void;
}
