import type { SleepingClock } from '@meshwork/time';

/** How often each happens, a minute, over the whole fleet. */
export interface ChurnRates {
  readonly moves?: number;
  readonly joins?: number;
  readonly leaves?: number;
}

type ChurnActions = Record<keyof ChurnRates, () => Promise<void> | void>;

const TICK_MS = 100;

/** Every action as often as its rate says, on average and evenly, until the signal. */
export async function churn(
  rates: ChurnRates,
  actions: ChurnActions,
  clock: SleepingClock,
  signal: AbortSignal,
): Promise<void> {
  const kinds = Object.keys(actions) as (keyof ChurnRates)[];
  const owed = new Map<keyof ChurnRates, number>();
  let last = clock.now();
  while (!signal.aborted) {
    await clock.sleep(TICK_MS, signal).catch(() => undefined); // the signal, which the loop looks at
    const now = clock.now();
    const minutes = (now - last) / 60_000;
    last = now;
    for (const kind of kinds) {
      let due = (owed.get(kind) ?? 0) + (rates[kind] ?? 0) * minutes;
      for (; due >= 1 && !signal.aborted; due -= 1) await actions[kind]();
      owed.set(kind, due);
    }
  }
}
