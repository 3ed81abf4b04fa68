import type { Vocabulary } from '../../vocabulary-type.ts';

export const givenCertificateVocabulary = {
  permissions: {
    'given_certificates:read': 'Read the certificates that operators brought for ingresses, without their keys.',
    'given_certificates:write': 'Bring certificates with their keys for ingresses, and replace and delete them.',
  },
  ids: { given: 'given certificate' },
} as const satisfies Vocabulary;

/** `expiring`: within `EXPIRING_DAYS`, or the last third of a shorter life. */
export const GIVEN_CERTIFICATE_STATES = ['valid', 'expiring', 'expired', 'not_yet_valid'] as const;
export type GivenCertificateState = (typeof GIVEN_CERTIFICATE_STATES)[number];

/** Ours. Public authorities have them renewed 30 days before their end: by then a renewal has failed for a while. */
export const EXPIRING_DAYS = 21;
/** Characters of a chain in PEM: eight certificates with RSA keys of 4096 bits fit. */
export const MAX_GIVEN_CHAIN = 40_000;
/** Characters of a private key in PEM: one of RSA with 4096 bits has 3,300. */
export const MAX_GIVEN_KEY = 8_000;

/** What an ingress can name in place of a given certificate, so that none has it for a name. */
export const OWN_INGRESS_CERTIFICATES = ['mesh', 'none'] as const;
