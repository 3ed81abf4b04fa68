import { ActorRef } from '../actor.ts';
import { AuditTarget, ChainReport } from '../areas/audit/index.ts';
import { ACTION_PATTERN } from '../areas/audit/vocabulary.ts';
import { idPattern } from '../ids.ts';
import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { Strict } from '../operation.ts';
import { Page, pageQuery } from '../pages.ts';
import { type Static, Type } from '../type.ts';
import { definePanelOperations } from './panel-operation.ts';
import { exampleUser } from './users.ts';

/**
 * What happened at the panel itself: who signed in or failed to, and what was done to people and sessions. What people do
 * to the mesh stands in the coordinator's trail, under their name.
 */
export const PanelAuditEntry = named(
  'PanelAuditEntry',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('audit'), description: 'Sorts by time.' }),
      at: Type.String({ format: 'date-time', description: 'To the millisecond.' }),
      action: Type.String({ description: 'The operation of the panel.' }),
      outcome: Type.Union([Type.Literal('done'), Type.Literal('refused')], { description: 'How it ended.' }),
      code: maybe(Type.String(), 'The error code of a refusal. Null: it was not refused.'),
      actor: ActorRef,
      target: maybe(AuditTarget),
      request_id: maybe(Type.String(), 'The `X-Request-Id` of the request. Null: there was none.'),
      address: maybe(Type.String(), 'Where the request came from.'),
      detail: maybe(Type.String(), 'Further detail.'),
      seq: Type.Integer({ description: 'Its place in the chain, without gaps.' }),
      hash: maybe(Type.String(), 'SHA-256 over the entry and the hash before it.'),
    },
    { additionalProperties: false },
  ),
);
export type PanelAuditEntry = Static<typeof PanelAuditEntry>;

const exampleEntry: PanelAuditEntry = {
  id: 'audit_01jcqv5s3ee3xv9k7d0w8m2b4n',
  at: '2026-11-15T09:30:00.000Z',
  action: 'auth.login',
  outcome: 'done',
  code: null,
  actor: { kind: 'person', id: exampleUser.id, name: exampleUser.name },
  target: null,
  request_id: 'req_abcdefgh-1',
  address: '192.0.2.7',
  detail: null,
  seq: 1,
  hash: '0'.repeat(64),
};

export const trailOperations = definePanelOperations({
  'trail.list': {
    method: 'GET',
    path: '/api/v1/audit',
    summary: 'Read the trail of the panel',
    description: 'Newest first. Needs the whole mesh as scope.',
    access: 'audit:read',
    reach: 'mesh',
    query: Strict({
      ...pageQuery,
      actor: Type.Optional(
        Type.String({
          pattern: `${idPattern('user')}|${idPattern('token')}`,
          description: 'Only what this person or token did.',
        }),
      ),
      action: Type.Optional(Type.String({ maxLength: 64, pattern: ACTION_PATTERN, description: 'Only this action.' })),
      target: Type.Optional(Type.String({ maxLength: 64, description: 'Only what was done to this.' })),
    }),
    answer: { status: 200, description: 'A page of entries.', schema: Page(PanelAuditEntry) },
    errors: [],
    example: { answer: { items: [exampleEntry], next_cursor: null } },
  },
  'trail.verify': {
    method: 'POST',
    path: '/api/v1/audit/verify',
    summary: 'Check the chain of the panel’s trail',
    access: 'audit:verify',
    reach: 'mesh',
    repeatable: false,
    body: Strict({}),
    answer: { status: 200, description: 'What was found.', schema: ChainReport },
    errors: [],
    example: {
      body: {},
      answer: {
        intact: true,
        checked: 1,
        base: { seq: 0, hash: '0'.repeat(64) },
        head: { seq: 1, hash: '0'.repeat(64) },
        faults: [],
      },
    },
  },
});
