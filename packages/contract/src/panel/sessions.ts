import { idPattern } from '../ids.ts';
import { named } from '../named.ts';
import { Strict } from '../operation.ts';
import { Page, pageQuery } from '../pages.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, Type } from '../type.ts';
import { definePanelOperations } from './panel-operation.ts';
import { exampleUser, UserIdText, UserName } from './users.ts';

/** One browser that is signed in. */
export const Session = named(
  'Session',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('session'), description: 'Names the session, and is no secret.' }),
      user: Type.Object(
        { id: UserIdText, name: UserName },
        { additionalProperties: false, description: 'Whose it is.' },
      ),
      method: Type.Enum(['setup', 'invitation', 'password', 'totp', 'recovery_code', 'passkey', 'oidc'], {
        description: 'How the person proved themselves.',
      }),
      current: Type.Boolean({ description: 'Whether this request came with it.' }),
      created_at: Timestamp('When the person signed in.'),
      last_seen_at: Timestamp('To within a minute.'),
      idle_expires: Timestamp('When it ends unless it is used.'),
      expires: Timestamp('When it ends, whatever happens.'),
      address: Type.String({ description: 'Where the browser was last.' }),
      user_agent: Type.String({ description: 'What the browser said it is.' }),
    },
    { additionalProperties: false },
  ),
);
export type Session = Static<typeof Session>;

const exampleSession: Session = {
  id: 'session_01jcqv5s3ee3xv9k7d0w8m2b4n',
  user: { id: exampleUser.id, name: exampleUser.name },
  method: 'totp',
  current: true,
  created_at: '2026-11-15T09:30:00Z',
  last_seen_at: '2026-11-15T09:45:00Z',
  idle_expires: '2026-11-15T10:45:00Z',
  expires: '2026-11-16T09:30:00Z',
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0',
};

const whose = Type.Optional(
  Type.String({
    pattern: `^(?:\\*|${idPattern('user').slice(1, -1)})$`,
    description:
      'Id of a person, or `*` for all that you may see. Absent: your own; a scoped token, which has none, sees all that it may.',
  }),
);

export const sessionOperations = definePanelOperations({
  'sessions.list': {
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'List sessions',
    description: 'Your own. Those of other people need `users:read`.',
    access: 'signed_in',
    token: 'users:read',
    reach: 'scoped',
    query: Strict({ ...pageQuery, user: whose }),
    answer: { status: 200, description: 'A page of sessions, newest first.', schema: Page(Session) },
    errors: ['not_found'],
    example: { answer: { items: [exampleSession], next_cursor: null } },
  },
  'sessions.end': {
    method: 'DELETE',
    path: '/api/v1/sessions/{id}',
    summary: 'End a session',
    description: 'One of your own. Those of other people need `users:write`, and rights that cover theirs.',
    access: 'signed_in',
    token: 'users:write',
    reach: 'scoped',
    params: Type.Object({ id: Type.String({ maxLength: 64, description: 'Id of the session.' }) }),
    answer: { status: 204, description: 'It has ended, and so has the coordinator token behind it.' },
    errors: ['exceeds_own_rights'],
    example: { params: { id: exampleSession.id } },
  },
  'sessions.end_all': {
    method: 'DELETE',
    path: '/api/v1/sessions',
    summary: 'End all sessions of a person',
    description:
      'All of your own but this one; or all of another person, which needs `users:write`. A scoped token names the person.',
    access: 'signed_in',
    token: 'users:write',
    reach: 'scoped',
    query: Strict({ user: whose }),
    answer: {
      status: 200,
      description: 'How many have ended.',
      schema: Strict({ ended: Type.Integer({ description: 'How many.' }) }),
    },
    errors: ['exceeds_own_rights', 'not_found'],
    example: { answer: { ended: 2 } },
  },
});
