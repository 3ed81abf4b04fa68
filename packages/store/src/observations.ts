/** The rules for observations that both stores keep to; see `journal.ts`. */
import { randomBytes } from 'node:crypto';
import type { NewObservation, Observation, ObservationQuery, ObservationRetention } from './journal.ts';
import { isName, requireName, requireText, requireWhole } from './storable.ts';
import { StoreError } from './store-error.ts';

/** An index holds log, key and id of an observation, and PostgreSQL cannot index more than 2,704 bytes. */
const SHORT_NAME_LIMIT = 100;
const BODY_LIMIT = 65_536;

/** How a store keeps observations. Checking, buffering and counting them is the same for all: `observing.ts`. */
export interface ObservationStore {
  /** Durable when it returns: all or nothing. Leaves out what is already there. */
  append(slice: readonly Observation[]): Promise<void>;
  range(query: ObservationQuery): Promise<readonly Observation[]>;
  prune(log: string, retention: ObservationRetention): Promise<number>;
  close(): Promise<void>;
}

/** Gives ids to observations that have none. They count up, so that those of one moment keep their order. */
export class ObservationIds {
  readonly #prefix = randomBytes(6).toString('base64url');
  #last = 0;

  identify(observation: NewObservation): Observation {
    const { log, key, at_ms, body } = observation;
    requireShortName('the log of an observation', log);
    requireName('the key of an observation', key);
    requireWhole(`the time of an observation of ${key}`, at_ms);
    requireText(`the body of an observation of ${key}`, body);
    if (body.length > BODY_LIMIT) {
      const found = `the body of an observation of ${key} has ${body.length} characters`;
      throw new StoreError('misuse', `${found}; at most ${BODY_LIMIT} are possible`);
    }
    if (observation.id !== undefined) requireShortName('the id of an observation', observation.id);
    return { log, key, at_ms, id: observation.id ?? this.#next(), body };
  }

  #next(): string {
    this.#last += 1;
    return `${this.#prefix}${this.#last.toString(36).padStart(11, '0')}`;
  }
}

export function requireObservationQuery({ limit, from_ms, to_ms, after }: ObservationQuery): void {
  requireWhole('the limit', limit, 1);
  if (from_ms !== undefined) requireWhole('from_ms', from_ms);
  if (to_ms !== undefined) requireWhole('to_ms', to_ms);
  if (after !== undefined) {
    requireWhole('the time of the place to go on from', after.at_ms);
    requireText('the key of the place to go on from', after.key);
    requireText('the id of the place to go on from', after.id);
  }
}

export function requireRetention({ before_ms, most }: ObservationRetention): void {
  if (before_ms !== undefined) requireWhole('before_ms', before_ms);
  if (most !== undefined) requireWhole('most', most, 0);
}

/** The query with keys that observations can have, each once. Undefined: nothing can match. */
export function matchable(query: ObservationQuery): ObservationQuery | undefined {
  if (!isName(query.log)) return undefined;
  if (query.keys === undefined) return query;
  const keys = [...new Set(query.keys)].filter(isName);
  return keys.length === 0 ? undefined : { ...query, keys };
}

function requireShortName(what: string, name: string): void {
  requireName(what, name);
  if (name.length > SHORT_NAME_LIMIT) {
    throw new StoreError('misuse', `${what} has ${name.length} characters; 1 to ${SHORT_NAME_LIMIT} are possible`);
  }
}
