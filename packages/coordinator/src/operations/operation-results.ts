/**
 * What nodes answered with, kept in a log of the store: too long for the model, which is all in memory, and for the
 * audit trail. Read back when a caller gets the operation; deleted with the operation.
 */
import { type CommandResult, MAX_ANSWER_BYTES } from '@meshwork/contract';
import type { Journal } from '@meshwork/store';
import type { Stored } from '../mesh/model.ts';
import type { Transaction } from '../mesh/transaction.ts';

const RESULTS_LOG = 'operation_result';

/** The answer, if it is one: what is too long, or no JSON, is none. */
export function answerIn(result: CommandResult | undefined): string | undefined {
  const { outcome, data } = result ?? {};
  if (outcome !== 'done' || data === undefined || Buffer.byteLength(data) > MAX_ANSWER_BYTES) return undefined;
  return isJson(data) ? data : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** In the commit that ends the operation. The operation itself says only how long it is. */
export function keepResult(tx: Transaction, operation: Stored<'operation'>, text: string): Stored<'operation'> {
  tx.keep({ log: RESULTS_LOG, id: operation.id, body: { text } });
  return { ...operation, body: { ...operation.body, result_bytes: Buffer.byteLength(text) } };
}

/** Null: the node did not answer with anything. */
export async function resultOf(journal: Journal, { id, body }: Stored<'operation'>): Promise<string | null> {
  if (body.result_bytes === undefined) return null;
  const entry = await journal.entry(RESULTS_LOG, id);
  return entry === undefined ? null : (JSON.parse(entry.body) as { readonly text: string }).text;
}

export async function trimResults(journal: Journal, before_ms: number): Promise<void> {
  await journal.trim(RESULTS_LOG, before_ms);
}
