/** How long sessions are good for (docs/decisions/0028). */
export const SESSION_MS = 24 * 3600 * 1000;
export const IDLE_MS = 60 * 60 * 1000;
/** Between the password and the second factor. */
export const HALFWAY_MS = 5 * 60 * 1000;
/** After a proof of who one is, dangerous things need no further one. */
export const CONFIRMED_MS = 10 * 60 * 1000;
/** What was on its way when the secret changed may still arrive, and read. */
export const PREVIOUS_MS = 10 * 1000;
/** How exact `last_seen_at` is. */
export const SEEN_MS = 60 * 1000;
/** Sessions of one person; the one that was used longest ago makes room. */
export const MAX_SESSIONS = 50;
