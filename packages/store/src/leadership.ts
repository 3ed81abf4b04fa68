import type { Leadership } from './journal.ts';

/** For whoever competes in a store that is closed. */
export const NEVER_LEADING: Leadership = { leading: false, release: async () => undefined };
