import { isOpen } from '@meshwork/contract';
import type { Kind } from '../../kinds/kinds.ts';
import type { Changed, Model, ModelWatch, Stored } from '../../mesh/model.ts';
import type { Call } from '../handler.ts';

/** Calls back those who wait for the end of an operation, wherever it came from. */
export class OperationEnds implements ModelWatch {
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(model: Model) {
    model.watch(this);
  }

  await(operation: string, ended: () => void): void {
    const waiting = this.#waiting.get(operation) ?? new Set();
    waiting.add(ended);
    this.#waiting.set(operation, waiting);
  }

  ignore(operation: string, ended: () => void): void {
    const waiting = this.#waiting.get(operation);
    if (waiting?.delete(ended) === true && waiting.size === 0) this.#waiting.delete(operation);
  }

  changed<K extends Kind>(change: Changed<K>): void {
    if (change.kind !== 'operation') return;
    const after = change.after as Stored<Kind> as Stored<'operation'> | undefined;
    if (after === undefined || !isOpen(after.body.state)) this.#callBack(change.id);
  }

  reset(): void {
    this.close();
  }

  /** Calls back all that wait: they look up the operation themselves. */
  close(): void {
    for (const operation of [...this.#waiting.keys()]) this.#callBack(operation);
  }

  #callBack(operation: string): void {
    for (const ended of [...(this.#waiting.get(operation) ?? [])]) ended();
  }
}

/** Resolves when the operation has ended, the time is over, or the caller has gone. */
export function untilEnded(
  ends: OperationEnds,
  id: string,
  wait_s: number,
  call: Pick<Call<'operations.show'>, 'whenGone'>,
): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      ends.ignore(id, over);
      resolve();
    };
    const timer = setTimeout(over, wait_s * 1000);
    ends.await(id, over);
    call.whenGone(over);
  });
}
