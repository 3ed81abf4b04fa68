/**
 * The `aud` of proofs by agents of version 0.1.0, which know no other. A newer agent uses the id of its mesh, which enrolment
 * and every session say. A node that has used that once is bound to it. See docs/decisions/0038 for when this one ends.
 */
export const PROOF_AUDIENCE = 'mesh-node-session';
/** The longest that a proof may be good for, from `iat` to `exp`. */
export const MAX_PROOF_S = 120;
/** How far the clocks of node and coordinator may be apart. */
export const MAX_SKEW_S = 60;
/** How long a session is good for. */
export const SESSION_S = 3600;
