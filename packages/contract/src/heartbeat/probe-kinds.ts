/** `probes.ts` has what they are. */

export const PROBE_KINDS = ['look', 'watch', 'attempt', 'challenge', 'waf'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** How an ACME client shows that it speaks for a name: by a file (RFC 8555), or by a certificate (RFC 8737). */
export const CHALLENGE_TYPES = ['http-01', 'tls-alpn-01'] as const;
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];
/** What was wrong with the answer, as ACME names it. */
export const CHALLENGE_FAULTS = ['connection', 'tls', 'unauthorized'] as const;
export type ChallengeFault = (typeof CHALLENGE_FAULTS)[number];
/** Characters of what is shown: a certificate with an RSA key of 4096 bits fits. */
export const MAX_SHOWN = 4096;

export const ATTEMPT_OUTCOMES = ['connected', 'refused', 'answered', 'sent', 'timed_out', 'unreachable'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
