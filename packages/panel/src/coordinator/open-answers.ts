import { MeshError } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';
import type { Grant } from './person-grant.ts';
import type { PersonTokens } from './person-tokens.ts';

/** A session that ends elsewhere, at another panel or for want of use, is noticed within this time. */
const LOOK_MS = 1000;
/** Of one session at a time. A browser keeps six connections to one host. */
const MAX_OPEN = 32;
/** Of one person in all their sessions, so that nobody takes the connections of all others. */
const MAX_OPEN_OF_PERSON = 96;

interface Open {
  readonly session: Stored<'session'>;
  /** It waits for something to happen, for as long as that takes. */
  readonly patient: boolean;
  readonly stop: AbortController;
  grant: Grant | undefined;
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
    const open: Open = { session, patient, stop: new AbortController(), grant: undefined };
    this.#open.add(open);
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return {
      stopped: open.stop.signal,
      speaksWith: (grant) => {
        open.grant = grant;
        const stop = () => open.stop.abort(this.#tokens.whyEnded(session));
        grant.ended.addEventListener('abort', stop, { once: true, signal: open.stop.signal });
        if (grant.ended.aborted) stop();
      },
      done: () => this.#done(open),
    };
  }

  /** When the doors close. Who waits for something to happen would hold them open; the others are soon done. */
  dismiss(): void {
    const reason = new MeshError('shutting_down', 'This panel is going down. Come back in a moment.');
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
    throw new MeshError('rate_limited', `${whose} wait for their answers already.`, { retry_after_s: 1 });
  }

  #look(): void {
    for (const { session, patient, grant, stop } of this.#open) {
      if (grant === undefined) continue;
      // Who came with a cookie that has been replaced may not be the person. What is soon done may be done.
      const isGood = this.#tokens.isGood(session, grant) && !(patient && this.#tokens.isRenewed(session));
      if (!isGood) stop.abort(this.#tokens.whyEnded(session));
    }
  }

  #done(open: Open): void {
    this.#open.delete(open);
    open.stop.abort(); // takes the listeners away
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export interface OpenAnswer {
  /** Aborted when it must end, with the error that says why. */
  readonly stopped: AbortSignal;
  /** From now on it also ends with this token. */
  speaksWith(grant: Grant): void;
  done(): void;
}
