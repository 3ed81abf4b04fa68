import type { Leadership } from './journal.ts';

/** For a candidate in a store that is closed. */
export const NEVER_LEADING: Leadership = { leading: false, release: async () => undefined };
