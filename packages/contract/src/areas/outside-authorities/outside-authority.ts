import { ActorRef } from '../../actor.ts';
import { CHALLENGE_TYPES } from '../../heartbeat/probe-kinds.ts';
import { type Id, idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { NODE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { MAX_OUTSIDE_ROOTS, OUTSIDE_ACCOUNT_STATES } from './vocabulary.ts';

export type OutsideAuthorityId = Id<'outside'>;

/** The id or the name of an outside authority. */
export const OUTSIDE_REF_PATTERN = `^(?:${idPattern('outside').slice(1, -1)}|${NODE_NAME_PATTERN.slice(1, -1)})$`;

export const OutsideName = Type.String({
  pattern: NODE_NAME_PATTERN,
  description: 'Its display name. Not `mesh` or `none`, which mean something else to an ingress.',
});
const directoryUrl = (description: string) =>
  Type.String({ pattern: '^https:[/]{2}[\\x21-\\x7e]+$', maxLength: 500, description });
export const OutsideDirectory = directoryUrl('Address of its ACME directory. Has to be `https`.');
export const OutsideStaging = maybe(
  directoryUrl('Address of a directory for attempts.'),
  'Where the first order for each host name is tried before it is made at `directory`, so that mistakes do not use up limits. Null: nowhere.',
);
export const OutsideContacts = Type.Array(
  Type.String({ pattern: '^[^\\s,?@<>":;]{1,64}@[^\\s,?@<>":;]{1,190}$', description: 'A mail address.' }),
  {
    maxItems: 5,
    uniqueItems: true,
    description: 'Where the authority reaches the operator. Some refuse an account without one.',
  },
);
export const OutsideChallenge = Type.Enum(CHALLENGE_TYPES, {
  description:
    'How gateways show that they speak for a host name. `http-01`: over plain HTTP, at port 80. `tls-alpn-01`: in a TLS handshake, at port 443.',
});
export const OutsideRoots = maybe(
  Type.String({ minLength: 1, maxLength: MAX_OUTSIDE_ROOTS, description: 'Certificates in PEM.' }),
  'Roots that the web server of the authority is checked against, as for one of the company. Null: those that browsers know.',
);
export const EabKeyId = Type.String({
  pattern: '^[\\x21-\\x7e]{1,256}$',
  description: 'Name of the key for external account binding, as the authority gave it.',
});
export const EabKey = Type.String({
  pattern: '^[A-Za-z0-9_-]{16,1024}={0,2}$',
  description:
    'The key for external account binding, in base64url, as the authority gave it. It is kept sealed until the account is made, and never answered.',
});

const account = (which: string) =>
  Type.Object(
    {
      state: Type.Enum(OUTSIDE_ACCOUNT_STATES, {
        description: '`none`: not made yet. `deactivated`, `revoked`: the authority refuses it.',
      }),
      url: maybe(Type.String(), 'Its address, which the authority chose. Null: there is none yet.'),
      created_at: maybe(Timestamp('When it was made. Null: it is not made yet.')),
      problem: maybe(
        Type.String(),
        'Why it could not be made or used the last time. Null: it could, or was not tried.',
      ),
    },
    { additionalProperties: false, description: which },
  );

export const OutsideAuthority = named(
  'OutsideAuthority',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('outside'), description: 'Identifies it permanently.' }),
      name: OutsideName,
      scope: Scope,
      directory: OutsideDirectory,
      staging_directory: OutsideStaging,
      contacts: OutsideContacts,
      challenge: OutsideChallenge,
      roots: OutsideRoots,
      eab_key_id: maybe(EabKeyId, 'Name of the key that the account was or will be made with. Null: none is needed.'),
      terms: maybe(
        Type.String(),
        'Address of its terms, as its directory names it. Null: it was not read yet, or names none.',
      ),
      terms_agreed_at: Timestamp('When an operator last agreed to its terms.'),
      account: account('The account at `directory`.'),
      staging_account: maybe(account('The account at `staging_directory`.'), 'Null: there is no such directory.'),
      paused_until: maybe(
        Timestamp('Nothing is asked of it before, because it wants fewer requests. Null: it is not paused.'),
      ),
      orders: Type.Integer({ minimum: 0, description: 'Host names of your scope that it issues certificates for.' }),
      certificates: Type.Integer({ minimum: 0, description: 'Those of them that have a certificate now.' }),
      created_at: Timestamp('When it was created.'),
      created_by: ActorRef,
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type OutsideAuthority = Static<typeof OutsideAuthority>;

export const exampleOutsideAuthority: OutsideAuthority = {
  id: 'outside_01jcqve2t0f1b8x0v4q6k3j9zt',
  name: 'letsencrypt',
  scope: { team: '*', surface: '*', environment: 'production' },
  directory: 'https://acme.example.net/directory',
  staging_directory: 'https://staging.acme.example.net/directory',
  contacts: ['ops@example.net'],
  challenge: 'http-01',
  roots: null,
  eab_key_id: null,
  terms: 'https://acme.example.net/terms',
  terms_agreed_at: '2026-11-14T10:00:00Z',
  account: {
    state: 'valid',
    url: 'https://acme.example.net/account/1827364551',
    created_at: '2026-11-14T10:00:02Z',
    problem: null,
  },
  staging_account: {
    state: 'valid',
    url: 'https://staging.acme.example.net/account/209348123',
    created_at: '2026-11-14T10:00:01Z',
    problem: null,
  },
  paused_until: null,
  orders: 1,
  certificates: 1,
  created_at: '2026-11-14T10:00:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'ops' },
  revision: 1190,
};
