/** `probes.ts` has what they are. */

export const PROBE_KINDS = [
  'look',
  'watch',
  'attempt',
  'challenge',
  'waf',
  'ingress_proof',
  'ingress_check',
  'show_challenge',
] as const;
export type ProbeKind = (typeof PROBE_KINDS)[number];

/** How an ACME client shows that it speaks for a name: by a file (RFC 8555), or by a certificate (RFC 8737). */
export const CHALLENGE_TYPES = ['http-01', 'tls-alpn-01'] as const;
export type ChallengeType = (typeof CHALLENGE_TYPES)[number];
/** What was wrong with the answer, as ACME names it. */
export const CHALLENGE_FAULTS = ['connection', 'tls', 'unauthorized'] as const;
export type ChallengeFault = (typeof CHALLENGE_FAULTS)[number];
/** Characters of what is shown: a certificate with an RSA key of 4096 bits fits. */
export const MAX_SHOWN = 4096;
/** How long a gateway may be asked to show the answer to a challenge of an outside authority. */
export const MAX_SHOWN_S = 600;

export const ATTEMPT_OUTCOMES = ['connected', 'refused', 'answered', 'sent', 'timed_out', 'unreachable'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Where a gateway shows its proof to those who try an ingress from outside: followed by the token. No service gets such a path. */
export const INGRESS_PROOF_PATH = '/.well-known/meshwork-check-';
export const CHECK_PROTOCOLS = ['https', 'http', 'tcp'] as const;
export type CheckProtocol = (typeof CHECK_PROTOCOLS)[number];
export const CHECK_OUTCOMES = [
  'answered',
  'connected',
  'refused',
  'timed_out',
  'unreachable',
  'no_tls',
  'no_http',
  'forbidden',
] as const;
export const CHECK_TRUST = ['public', 'mesh', 'none'] as const;
/** `no_resolver`: the host names none beside the mesh's own. */
export const DNS_FAULTS = ['no_record', 'no_answer', 'no_resolver'] as const;
/** Addresses of DNS that are tried. */
export const MAX_DNS_ADDRESSES = 8;
/** Addresses that gateways report. */
export const MAX_CHECKED_GATEWAYS = 16;
/** Two at each. */
export const MAX_CHECKS = 48;
