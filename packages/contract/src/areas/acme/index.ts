/**
 * ACME (RFC 8555): certificates for services by the clients that they have anyway, such as certbot. The protocol itself is below
 * `/v1/acme` and not in this table, for it has its own way to know callers and to say what is wrong. Here is what
 * operators do about it.
 */

import { defineArea } from '../../area.ts';
import { NoData } from '../../event-data.ts';
import { idPattern } from '../../ids.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Type } from '../../type.ts';
import { exampleToken } from '../tokens/index.ts';
import { AccountStateText, AcmeAccount, exampleAccount } from './account-record.ts';
import { acmeVocabulary } from './vocabulary.ts';

export * from './account-record.ts';

const byId = Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the account.' }) });

const acmeOperations = defineOperations({
  'acme.bind': {
    method: 'POST',
    path: '/v1/ca/acme/bindings',
    summary: 'Get the key that binds an ACME account to this token',
    description:
      'ACME clients call it external account binding. An account that is made with it acts as the token that this request is made with: it gets certificates for the nodes in the scope of the token, for as long as the token is good. A person who is signed in cannot: make a token with `ca:issue` and ask with that.',
    permission: 'ca:issue',
    reach: 'scoped',
    answer: {
      status: 200,
      description:
        'The key. It stays the same until the token is rotated or the master key is turned over; accounts that were made with it stay.',
      schema: Strict({
        key_id: Type.String({ pattern: idPattern('token'), description: 'The id of the token, and of the key.' }),
        key: Type.String({ description: 'For HMAC with SHA-256, in base64url. A secret.' }),
        directory: Type.String({ description: 'The path of the ACME directory.' }),
      }),
    },
    errors: ['token_delegated'],
    example: {
      answer: {
        key_id: exampleToken.id,
        key: 'kQ3v9hT1xRzJ0yPq7mWc2sLd8uNf5aBg4eHk6iOj-Vw',
        directory: '/v1/acme/directory',
      },
    },
  },
  'acme.accounts': {
    method: 'GET',
    path: '/v1/ca/acme/accounts',
    summary: 'List ACME accounts',
    description: 'Those whose token is within your scope, oldest first.',
    permission: 'ca:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery, state: Type.Optional(AccountStateText) }),
    answer: { status: 200, description: 'A page of accounts.', schema: Page(AcmeAccount) },
    errors: [],
    example: { query: { limit: 1 }, answer: { items: [exampleAccount], next_cursor: null } },
  },
  'acme.deactivate': {
    method: 'POST',
    path: '/v1/ca/acme/accounts/{id}/deactivate',
    summary: 'Deactivate an ACME account',
    description: 'For good. Its certificates stay valid; revoke them by themselves.',
    permission: 'ca:revoke',
    reach: 'scoped',
    params: byId,
    versioned: true,
    answer: { status: 200, description: 'The account as it is now.', schema: AcmeAccount },
    errors: [],
    example: { params: { id: exampleAccount.id }, answer: { ...exampleAccount, state: 'deactivated', works: false } },
  },
});

export const acmeArea = defineArea({
  name: 'acme',
  title: 'ACME',
  description: 'Accounts of ACME clients, which get certificates of the mesh CA.',
  ...acmeVocabulary,
  bounded: true,
  operations: acmeOperations,
  events: {
    'account.created': { summary: 'An ACME account was made', data: NoData },
    'account.changed': { summary: 'An ACME account got another key, token or contact', data: NoData },
    'account.deactivated': { summary: 'An ACME account was deactivated', data: NoData },
  },
});
