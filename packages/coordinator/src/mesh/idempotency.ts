import { createHmac, hash } from 'node:crypto';
import { MeshError } from '@meshwork/contract';
import { type MasterKey, seal, unseal } from '@meshwork/service';
import type { DataKey } from './data-keys.ts';
import type { Transaction } from './transaction.ts';

/** How long the same key gets the same answer (docs/decisions/0008). */
export const ANSWER_KEPT_MS = 24 * 3600 * 1000;
/** More answers than this are not kept: the oldest go first, whatever their age. */
export const ANSWERS_KEPT = 50_000;

/** A request that may be sent again: its key, and what exactly was asked under it. */
export interface Repeatable {
  readonly actor_id: string;
  readonly key: string;
  /** Operation, parameters and body, as text. */
  readonly request: string;
  /** Asked before an earlier answer is given once more, for it may hold a secret. Throws when it must not be. */
  ensureMayHear(tx: Transaction, answer: unknown): void;
}

const sha256 = (text: string) => hash('sha256', text);

/**
 * Runs a change at most once per key: the answer is stored in the same commit as the change, and a repeat is answered
 * from it. An answer may hold a new token's secret, so it is sealed with a key that needs both that of the installation and the
 * caller's own Idempotency-Key, of which the store has only a hash.
 */
export function runOnce<T>(tx: Transaction, repeatable: Repeatable, keys: readonly DataKey[], run: () => T): T {
  const id = `${repeatable.actor_id}:${sha256(repeatable.key)}`;
  const request_sha256 = sha256(repeatable.request);
  const earlier = tx.get('answer', id)?.body;
  if (earlier !== undefined && tx.now_ms - earlier.at_ms < ANSWER_KEPT_MS) {
    if (earlier.request_sha256 !== request_sha256) {
      throw new MeshError(
        'idempotency_key_reused',
        'This Idempotency-Key came with another request before. Use a new one.',
      );
    }
    const answer = JSON.parse(open(repeatable, keys, earlier.sealed)) as T;
    repeatable.ensureMayHear(tx, answer);
    return answer;
  }
  const answer = run();
  const [in_use] = keys;
  if (in_use === undefined) throw new Error('There is no key to seal an answer with.');
  const sealed = seal(sealingKey(repeatable, in_use.key), JSON.stringify(answer) ?? 'null');
  tx.put('answer', id, { request_sha256, sealed, at_ms: tx.now_ms });
  return answer;
}

/** With the key that was in use when it was answered. */
function open(repeatable: Repeatable, keys: readonly DataKey[], sealed: string): string {
  let failure: unknown;
  for (const { key } of keys) {
    try {
      return unseal(sealingKey(repeatable, key), sealed);
    } catch (error) {
      failure = error; // sealed with an older one, unless this was the last
    }
  }
  throw new Error('A kept answer does not open with any key of the installation.', { cause: failure });
}

function sealingKey({ actor_id, key }: Repeatable, master: MasterKey): Buffer {
  return createHmac('sha256', master).update(`idempotency\n${actor_id}\n${key}`).digest();
}
