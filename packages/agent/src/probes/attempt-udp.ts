import { createSocket } from 'node:dgram';
import { familyOf } from './flow.ts';
import { type Attempt, type Outcome, outcomeOf } from './outcome.ts';

/** Sends one datagram that says what it is. */
export function tryUdp({ id, flow, within_ms }: Attempt, signal: AbortSignal): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const { from, to, port, source_port } = flow;
  const failed = (error: NodeJS.ErrnoException) => {
    const outcome = outcomeOf(error);
    if (outcome === undefined) reject(error);
    else resolve(outcome);
  };
  const socket = createSocket({ type: familyOf(flow) === 4 ? 'udp4' : 'udp6', signal });
  const late = setTimeout(() => resolve({ outcome: 'sent' }), within_ms);
  socket.on('error', failed);
  socket.on('message', () => resolve({ outcome: 'answered' }));
  socket.on('close', () => reject(new Error('it was stopped')));
  socket.bind(source_port, from, () => {
    // Connected: only then is a refusal reported, and nothing taken for an answer that comes from elsewhere.
    socket.connect(port, to, (error?: Error) => {
      if (error !== undefined) return failed(error);
      socket.send(`meshwork probe ${id}`, (problem) => problem !== null && failed(problem));
    });
  });
  return promise.finally(() => {
    clearTimeout(late);
    socket.removeAllListeners('close');
    if (!signal.aborted) socket.close();
  });
}
