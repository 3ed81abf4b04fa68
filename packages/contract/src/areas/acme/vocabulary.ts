import type { Vocabulary } from '../../vocabulary-type.ts';

/** `deactivated`: for good, by its holder or by an operator. */
export const ACCOUNT_STATES = ['valid', 'deactivated'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Where the protocol begins: what clients are configured with. */
export const ACME_DIRECTORY = '/v1/acme/directory';

export const acmeVocabulary = {
  ids: { account: 'ACME account', order: 'ACME order', authorization: 'ACME authorization' },
} as const satisfies Vocabulary;
