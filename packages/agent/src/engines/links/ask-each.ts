import type { Place } from '../../stun/xor-address.ts';
import type { Questions } from './questions.ts';

interface Patience {
  /** When those are asked that have not answered. */
  readonly rounds_ms: readonly number[];
  readonly give_up_ms: number;
}

/** How STUN servers see us, in the order in which they are asked. Undefined: that one did not answer. */
export async function askEach(
  questions: Pick<Questions, 'ask'>,
  servers: readonly Place[],
  { rounds_ms, give_up_ms }: Patience,
): Promise<readonly (Place | undefined)[]> {
  if (servers.length === 0) return [];
  const seen: (Place | undefined)[] = servers.map(() => undefined);
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const ask = () => {
    for (const [index, server] of servers.entries()) {
      if (seen[index] !== undefined) continue;
      void questions.ask(server, undefined, ({ mapped }) => {
        seen[index] = mapped;
        if (!seen.includes(undefined)) resolve();
      });
    }
  };
  const timers = [...rounds_ms.map((wait_ms) => setTimeout(ask, wait_ms)), setTimeout(resolve, give_up_ms)];
  await all;
  for (const timer of timers) clearTimeout(timer);
  return seen;
}
