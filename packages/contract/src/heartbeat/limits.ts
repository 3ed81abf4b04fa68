/** How much one heartbeat holds. */

export const HEARTBEAT_BODY_LIMIT = 512 * 1024;
/** The longest that a heartbeat may ask to wait. */
export const MAX_WAIT_S = 60;
/** More links than this in one heartbeat are sent with the next ones. */
export const MAX_LINKS = 1000;
/** Repairs in one heartbeat. More of them are sent with the next ones. */
export const MAX_REPAIRS = 20;
/** Bytes of what one command may be answered with. */
export const MAX_ANSWER_BYTES = 64 * 1024;
/** Relays in one answer at most. In a mesh with more, nodes measure different ones. */
export const MAX_MEASURED_RELAYS = 16;
/** Probes in one answer, and results in one heartbeat. More of them are sent with the next ones. */
export const MAX_PROBES = 32;
/** Links or rules in one look. */
export const MAX_LOOKED_AT = 16;
/** Rules of other programs that a node reports at most. */
export const MAX_FOREIGN_RULES = 20;
/** Characters of one of them. */
export const MAX_FOREIGN_TEXT = 300;
