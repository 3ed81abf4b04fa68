import { connect } from 'node:net';
import { type Attempt, type Outcome, outcomeOf } from './outcome.ts';

/** Connects, and closes at once. Not by a reset: a service that does not expect one might end. */
export function tryTcp({ flow, within_ms }: Attempt, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const { from, to, port, source_port } = flow;
  const own = source_port === 0 ? {} : { localPort: source_port };
  const socket = connect({ host: to, port, localAddress: from, ...own, autoSelectFamily: false, signal });
  const late = setTimeout(() => resolve({ outcome: 'timed_out' }), within_ms);
  socket.once('connect', () => resolve({ outcome: 'connected' }));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    const outcome = outcomeOf(error);
    if (outcome === undefined) reject(error);
    else resolve(outcome);
  });
  return promise.finally(() => {
    clearTimeout(late);
    socket.destroy();
  });
}
