/** `probes.ts` has what they are. */

export const PROBE_KINDS = ['look', 'watch', 'attempt'] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

export const ATTEMPT_OUTCOMES = ['connected', 'refused', 'answered', 'sent', 'timed_out', 'unreachable'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
