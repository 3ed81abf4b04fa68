import type { Service } from '@meshwork/contract';
import type { SleepingClock } from '@meshwork/time';
import { pause } from './pause.ts';
import { listenersOf, withHealth } from './services.ts';

/** Ours: how long a service may be down before it is reported. */
const EVERY_MS = 5000;

interface Options {
  readonly services: readonly Service[];
  /** Of the node in the mesh, without prefix. */
  readonly addresses: () => readonly string[];
  readonly clock: SleepingClock;
  /** Called with all of them, whenever that was looked at. */
  readonly seen: (services: Service[]) => void;
  readonly failed: (error: unknown) => void;
}

/** Looks now and then whether what the node says it offers is there. */
export async function watchServices(options: Options, signal: AbortSignal): Promise<void> {
  const { services, addresses, clock, seen, failed } = options;
  if (services.length === 0) return;
  while (!signal.aborted) {
    try {
      seen(withHealth(services, await listenersOf(), addresses()));
    } catch (error) {
      failed(error);
    }
    await pause(clock, EVERY_MS, signal);
  }
}
