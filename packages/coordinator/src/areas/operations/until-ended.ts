import type { Call } from '../handler.ts';
import type { OperationEnds } from './operation-ends.ts';

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
