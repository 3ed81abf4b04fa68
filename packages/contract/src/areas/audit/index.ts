import { ActorRef } from '../../actor.ts';
import { defineArea } from '../../area.ts';
import { idPattern, idsPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Page, pageQuery } from '../../pages.ts';
import { Scope } from '../../scope.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { ACTION_PATTERN, auditVocabulary } from './vocabulary.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, in hexadecimal.' });

/** One document that an action changed. Secrets are left out of both sides. */
const AuditChange = Type.Object(
  {
    kind: Type.String({ description: 'What kind of document.' }),
    id: Type.String({ description: 'Which one.' }),
    before: Type.Unknown({ description: 'Null: it was not there.' }),
    after: Type.Unknown({ description: 'Null: it is gone.' }),
  },
  { additionalProperties: false },
);

export const AuditTarget = Type.Object(
  { kind: Type.String({ description: 'What kind of thing.' }), id: Type.String({ description: 'Which one.' }) },
  { additionalProperties: false, description: 'What it was done to. Null: to nothing in particular.' },
);
export type AuditTarget = Static<typeof AuditTarget>;

export const AuditEntry = named(
  'AuditEntry',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('audit'), description: 'Sorts by time.' }),
      at: Type.String({ format: 'date-time', description: 'To the millisecond.' }),
      action: Type.String({ description: 'The operation, or what the coordinator did by itself.' }),
      outcome: Type.Union([Type.Literal('done'), Type.Literal('refused')], { description: 'How it ended.' }),
      code: maybe(Type.String({ description: 'The error code of a refusal. Null: it was not refused.' })),
      count: Type.Integer({
        minimum: 1,
        description:
          'More than 1: that many refusals from one source for one reason, between `first_at` and `last_at`. With the action `requests.refused`, of several operations.',
      }),
      first_at: Type.Optional(Timestamp('When the first of several refusals came. Absent: the entry is of one.')),
      last_at: Type.Optional(Timestamp('When the last of them came.')),
      actor: ActorRef,
      token: maybe(
        Type.String({ pattern: idPattern('token') }),
        'Id of the token it was done with. Null: there was none, or the entry is older than this field.',
      ),
      target: maybe(AuditTarget),
      scope: Scope,
      request_id: maybe(Type.String({ description: 'The `X-Request-Id` of the request. Null: there was none.' })),
      address: maybe(
        Type.String({ description: 'Where the request came from; for a person, the address of their browser.' }),
      ),
      detail: maybe(Type.String({ description: 'Further detail.' })),
      changes: Type.Array(AuditChange, { description: 'The documents it changed, without secrets.' }),
      seq: Type.Integer({ description: 'Its place in the chain, without gaps.' }),
      revision: Type.Integer({ description: 'The revision of the mesh that came with it.' }),
      hash: maybe(Hash),
    },
    { additionalProperties: false },
  ),
);
export type AuditEntry = Static<typeof AuditEntry>;

/** What is hashed and stored as text; `seq`, `revision` and `hash` are given at the commit. */
export type AuditBody = Omit<AuditEntry, 'seq' | 'revision' | 'hash'>;

const CHAIN_FAULTS = ['altered', 'missing', 'misplaced', 'foreign', 'cut_off', 'anchor_mismatch'] as const;

export const ChainFault = Type.Object(
  {
    seq: Type.Integer({ description: 'The place in the chain.' }),
    id: maybe(Type.String({ description: 'The entry there. Null: none is left.' })),
    reason: Type.Enum(CHAIN_FAULTS, { description: 'What is wrong with it.' }),
    detail: Type.String({ description: 'The same in words.' }),
  },
  { additionalProperties: false },
);
export type ChainFault = Static<typeof ChainFault>;

const ChainPoint = (meaning: string) =>
  Strict(
    { seq: Type.Integer({ minimum: 0, description: 'A place in the chain.' }), hash: Hash },
    { description: meaning },
  );

export const ChainReport = named(
  'ChainReport',
  Type.Object(
    {
      intact: Type.Boolean({ description: 'Whether no fault was found.' }),
      checked: Type.Integer({ description: 'How many entries were recomputed.' }),
      base: ChainPoint('Where the chain begins: what retention has removed lies before it.'),
      head: ChainPoint('Where the chain ends. Keep it, and give it as `anchor` another day.'),
      faults: Type.Array(ChainFault, { description: 'The first ones found, at most 100.' }),
    },
    { additionalProperties: false },
  ),
);
export type ChainReport = Static<typeof ChainReport>;

const exampleEntry: AuditEntry = {
  id: 'audit_01jcqv5s3ee3xv9k7d0w8m2b4p',
  at: '2026-11-15T10:00:00.125Z',
  action: 'tokens.revoke',
  outcome: 'done',
  code: null,
  count: 1,
  actor: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'bootstrap' },
  token: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt',
  target: { kind: 'token', id: 'token_01jcqv5s3ee3xv9k7d0w8m2b4n' },
  scope: { team: 'platform', surface: 'git', environment: 'production' },
  request_id: 'req_k3v9x0-1f',
  address: '127.0.0.1',
  detail: null,
  changes: [
    {
      kind: 'token',
      id: 'token_01jcqv5s3ee3xv9k7d0w8m2b4n',
      before: { name: 'ci deploy', revoked_at: null },
      after: { name: 'ci deploy', revoked_at: '2026-11-15T10:00:00Z' },
    },
  ],
  seq: 42,
  revision: 1184,
  hash: '9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de',
};
const base = { seq: 0, hash: '0'.repeat(64) };
const head = { seq: 42, hash: '9b74c9897bac770ffc029102a200c5de9b74c9897bac770ffc029102a200c5de' };

const auditOperations = defineOperations({
  'audit.list': {
    method: 'GET',
    path: '/v1/audit',
    summary: 'Read the audit trail',
    description:
      'Newest first. With `Accept: application/x-ndjson` every matching entry is streamed, oldest first, one a line; that has no pages, so `limit` and `cursor` are refused.',
    permission: 'audit:read',
    reach: 'scoped',
    query: Strict({
      ...pageQuery,
      actor: Type.Optional(
        Type.String({
          pattern: idsPattern('user', 'token', 'node'),
          description: 'Id of who did it: of a person, a token or a node.',
        }),
      ),
      token: Type.Optional(
        Type.String({
          pattern: idPattern('token'),
          description: 'Id of the token it was done with, regardless of the actor.',
        }),
      ),
      action: Type.Optional(
        Type.String({
          maxLength: 64,
          pattern: ACTION_PATTERN,
          description: 'The operation, for example `tokens.revoke`. Other versions may know others.',
        }),
      ),
      target: Type.Optional(Type.String({ maxLength: 128, description: 'Id of what it was done to.' })),
      from: Type.Optional(Timestamp('Not before this moment.')),
      to: Type.Optional(Timestamp('Before this moment.')),
      outcome: Type.Optional(Type.Enum(['done', 'refused'], { description: 'Only what ended so.' })),
    }),
    answer: {
      status: 200,
      description: 'A page of entries.',
      schema: Page(AuditEntry),
      also: [{ type: 'application/x-ndjson', description: 'Every matching entry, one a line.' }],
    },
    errors: ['store_unavailable'],
    example: { query: { action: 'tokens.revoke', limit: 1 }, answer: { items: [exampleEntry], next_cursor: null } },
  },
  'audit.show': {
    method: 'GET',
    path: '/v1/audit/{id}',
    summary: 'Show an audit entry',
    permission: 'audit:read',
    reach: 'scoped',
    params: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the entry.' }) }),
    answer: { status: 200, description: 'The entry.', schema: AuditEntry },
    errors: ['store_unavailable'],
    example: { params: { id: exampleEntry.id }, answer: exampleEntry },
  },
  'audit.verify': {
    method: 'POST',
    path: '/v1/audit/verify',
    summary: 'Check the hash chain of the audit trail',
    description:
      'Recomputes every hash and names the entries that were altered, removed, moved or inserted from outside. Give the `head` of an earlier answer as `anchor` to prove that the trail still contains all it contained then.',
    permission: 'audit:verify',
    reach: 'mesh',
    repeatable: false,
    body: Strict({ anchor: Type.Optional(ChainPoint('The `head` of an earlier answer.')) }),
    answer: { status: 200, description: 'What was found.', schema: ChainReport },
    errors: ['store_unavailable'],
    example: { body: { anchor: base }, answer: { intact: true, checked: 42, base, head, faults: [] } },
  },
});

export const auditArea = defineArea({
  name: 'audit',
  title: 'Audit',
  description: 'Who did what, in a chain that shows when it was tampered with.',
  ...auditVocabulary,
  operations: auditOperations,
});
