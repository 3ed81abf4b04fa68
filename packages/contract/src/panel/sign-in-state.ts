/** What signing in is about: passwords, what passkeys say, and where a browser stands. `sign-in.ts` has the operations. */

import { idPattern } from '../ids.ts';
import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, Type } from '../type.ts';
import { exampleUser, User } from './users.ts';
import { SHORTEST_PASSWORD } from './vocabulary.ts';

export const Password = Type.String({ minLength: 1, maxLength: 1024, description: 'The password.' });
export const NewPassword = Type.String({
  minLength: SHORTEST_PASSWORD,
  maxLength: 1024,
  description: `At least ${SHORTEST_PASSWORD} characters, and none of the most common passwords.`,
});
/** What a browser’s `navigator.credentials` takes and gives, in the JSON form of WebAuthn level 3. */
export const WebAuthn = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }));

export const SignedIn = named(
  'SignedIn',
  Type.Object(
    {
      state: Type.Literal('signed_in'),
      csrf_token: Type.String({ description: 'Goes into `X-CSRF-Token` with everything but GET and HEAD.' }),
      user: User,
      permissions: Type.Array(Type.String(), {
        description: 'What the person may do. Empty while the coordinator cannot be reached.',
      }),
      session: Type.Object(
        {
          id: Type.String({ pattern: idPattern('session'), description: 'Names the session, and is no secret.' }),
          expires: Timestamp('When it ends, whatever happens.'),
          confirmed_until: maybe(Timestamp('Until when sensitive actions need no further proof. Null: they need one.')),
        },
        { additionalProperties: false },
      ),
      coordinator: Type.Object(
        {
          reachable: Type.Boolean({ description: 'Whether it answered the last request.' }),
          url: Type.String({ description: 'What nodes and the command line can reach it by.' }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  ),
);
export type SignedIn = Static<typeof SignedIn>;

export const SignInState = named(
  'SignInState',
  Type.Union(
    [
      SignedIn,
      Type.Object(
        {
          state: Type.Literal('halfway'),
          csrf_token: Type.String({ description: 'For the second step.' }),
          methods: Type.Array(Type.Enum(['totp', 'recovery_code', 'passkey']), {
            description: 'What the person can go on with.',
          }),
        },
        { additionalProperties: false, description: 'The password was correct; the second factor is missing.' },
      ),
      Type.Object({ state: Type.Literal('signed_out') }, { additionalProperties: false, description: 'No session.' }),
    ],
    { description: 'Where the browser stands.' },
  ),
);
export type SignInState = Static<typeof SignInState>;

export const exampleSignedIn: SignedIn = {
  state: 'signed_in',
  csrf_token: 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA',
  user: exampleUser,
  permissions: ['self:read', 'nodes:read'],
  session: {
    id: 'session_01jcqv5s3ee3xv9k7d0w8m2b4n',
    expires: '2026-11-16T09:30:00Z',
    confirmed_until: '2026-11-15T09:40:00Z',
  },
  coordinator: { reachable: true, url: 'http://127.0.0.1:7400' },
};
export const signedIn = { status: 200, description: 'Where the browser stands now.', schema: SignInState } as const;
