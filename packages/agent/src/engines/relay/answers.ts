/** Whether the relay listens where it should: asked as a client would. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { endpointOf } from '@meshwork/addresses';
import { messageOf } from '../../message-of.ts';
import { askStun } from '../../stun/ask-stun.ts';
import type { TurnConfig } from './turn-config.ts';

const PACE = { first_wait_ms: 100, give_up_ms: 1000 };
const AGAIN_MS = 50;

/** Undefined: it answers everywhere. Otherwise what does not. */
export async function unanswered(config: TurnConfig, signal: AbortSignal): Promise<string | undefined> {
  const { places, port, tls_port } = config;
  for (const { local } of places) {
    try {
      await askStun({ address: local, port, from_port: 0, pace: PACE, signal });
    } catch (error) {
      return `${endpointOf(local, port)} does not answer by UDP: ${messageOf(error)}`;
    }
    for (const each of tls_port === null ? [port] : [port, tls_port]) {
      if (!(await takesConnections(local, each))) return `${endpointOf(local, each)} takes no TCP connections`;
    }
  }
  return undefined;
}

/** Asks until it answers. Undefined: it does. */
export async function unansweredUntil(
  config: TurnConfig,
  { runs, within_ms }: { readonly runs: () => Promise<boolean>; readonly within_ms: number },
): Promise<string | undefined> {
  const late = AbortSignal.timeout(within_ms);
  for (;;) {
    const found = await unanswered(config, late);
    if (found === undefined || late.aborted || !(await runs())) return found;
    await pause(AGAIN_MS);
  }
}

async function takesConnections(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  socket.setTimeout(PACE.give_up_ms, () => resolve(false));
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  return await promise.finally(() => socket.destroy());
}
