import type { Vocabulary } from '../../vocabulary-type.ts';

export const outsideAuthorityVocabulary = {
  permissions: {
    'outside_authorities:read':
      'Read the outside authorities that issue certificates for ingresses, without their keys.',
    'outside_authorities:write':
      'Create outside authorities, which makes accounts with them, and change and delete them.',
  },
  ids: { outside: 'outside authority' },
} as const satisfies Vocabulary;

/** `none`: not made yet. The others are the authority’s words (RFC 8555, section 7.1.2). */
export const OUTSIDE_ACCOUNT_STATES = ['none', 'valid', 'deactivated', 'revoked'] as const;
export type OutsideAccountState = (typeof OUTSIDE_ACCOUNT_STATES)[number];

/** Characters of the roots of an authority's web server in PEM. */
export const MAX_OUTSIDE_ROOTS = 40_000;

interface KnownAuthority {
  readonly title: string;
  readonly directory: string;
  readonly staging_directory: string | null;
  /** Whether it makes accounts only for those that it gave a key to. */
  readonly needs_eab: boolean;
}

/** Authorities that people know by name. The API takes addresses only: the CLI and the panel put these in. */
export const KNOWN_AUTHORITIES = {
  letsencrypt: {
    title: 'Let’s Encrypt',
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
    staging_directory: 'https://acme-staging-v02.api.letsencrypt.org/directory',
    needs_eab: false,
  },
  'letsencrypt-staging': {
    title: 'Let’s Encrypt (staging)',
    directory: 'https://acme-staging-v02.api.letsencrypt.org/directory',
    staging_directory: null,
    needs_eab: false,
  },
  google: {
    title: 'Google Trust Services',
    directory: 'https://dv.acme-v02.api.pki.goog/directory',
    staging_directory: 'https://dv.acme-v02.test-api.pki.goog/directory',
    needs_eab: true,
  },
  zerossl: {
    title: 'ZeroSSL',
    directory: 'https://acme.zerossl.com/v2/DV90',
    staging_directory: null,
    needs_eab: true,
  },
} as const satisfies Readonly<Record<string, KnownAuthority>>;
