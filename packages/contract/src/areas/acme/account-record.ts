import { type Id, idPattern } from '../../ids.ts';
import { named } from '../../named.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleToken } from '../tokens/index.ts';
import { ACCOUNT_STATES } from './vocabulary.ts';

export type AccountId = Id<'account'>;
export type AuthorizationId = Id<'authorization'>;

export const AccountStateText = Type.Enum(ACCOUNT_STATES, {
  description: '`deactivated`: it can do nothing more. What it was issued stays good.',
});

export const AcmeAccount = named(
  'AcmeAccount',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('account'), description: 'Identifies the account permanently.' }),
      state: AccountStateText,
      token: Type.Object(
        {
          id: Type.String({ pattern: idPattern('token'), description: 'Its id.' }),
          name: Type.String({ description: 'Its name.' }),
        },
        {
          additionalProperties: false,
          description: 'The token that it acts as. Where that was rotated, its successor.',
        },
      ),
      works: Type.Boolean({
        description:
          'Whether it can have certificates issued now: it is valid, and its token is good and has `ca:issue`.',
      }),
      contacts: Type.Array(Type.String(), { description: 'Where its holder can be reached, as the client said.' }),
      thumbprint: Type.String({
        description: 'Of its key (RFC 7638): what the client shows as its account thumbprint.',
      }),
      created_at: Timestamp('When it was made.'),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type AcmeAccount = Static<typeof AcmeAccount>;

export const exampleAccount: AcmeAccount = {
  id: 'account_01jcqv6s0pf2r8x4k7d9w3m5nb',
  state: 'valid',
  token: { id: exampleToken.id, name: exampleToken.name },
  works: true,
  contacts: ['mailto:git@example.org'],
  thumbprint: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs',
  created_at: '2026-11-14T09:30:00Z',
  revision: 812,
};
