import Type, { type Static } from 'typebox';
import { idPattern } from '../ids.ts';
import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { Strict } from '../operation.ts';
import { Timestamp } from '../time.ts';
import { definePanelOperations } from './panel-operation.ts';
import { DisplayName, exampleUser, User, UserName } from './users.ts';

/** Shorter ones are guessed however odd they look (NIST SP 800-63B). */
export const SHORTEST_PASSWORD = 12;
const Password = Type.String({ minLength: 1, maxLength: 1024, description: 'The password.' });
const NewPassword = Type.String({
  minLength: SHORTEST_PASSWORD,
  maxLength: 1024,
  description: `At least ${SHORTEST_PASSWORD} characters, and none of those that everybody tries.`,
});
/** What a browser’s `navigator.credentials` takes and gives, in the JSON form of WebAuthn level 3. */
const WebAuthn = (description: string) => Type.Unsafe<Record<string, unknown>>(Type.Object({}, { description }));

export const SignedIn = named(
  'SignedIn',
  Type.Object(
    {
      state: Type.Literal('signed_in'),
      csrf_token: Type.String({ description: 'Goes into `X-CSRF-Token` with everything but GET and HEAD.' }),
      user: User,
      permissions: Type.Array(Type.String(), {
        description: 'What the coordinator lets the person do. Empty while it cannot be asked.',
      }),
      session: Type.Object(
        {
          id: Type.String({ pattern: idPattern('session'), description: 'Names the session, and is no secret.' }),
          expires: Timestamp('When it ends, whatever happens.'),
          confirmed_until: maybe(Timestamp('Until when dangerous things need no further proof. Null: it is over.')),
        },
        { additionalProperties: false },
      ),
      coordinator: Type.Object(
        {
          reachable: Type.Boolean({ description: 'Whether it answered when it was last asked.' }),
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
        { additionalProperties: false, description: 'The password was right; the second factor is still owed.' },
      ),
      Type.Object(
        { state: Type.Literal('signed_out') },
        { additionalProperties: false, description: 'Nobody is signed in.' },
      ),
    ],
    { description: 'Where the browser stands.' },
  ),
);
export type SignInState = Static<typeof SignInState>;

const exampleSignedIn: SignedIn = {
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
const signedIn = { status: 200, description: 'Where the browser stands now.', schema: SignInState } as const;

export const signInOperations = definePanelOperations({
  'setup.status': {
    method: 'GET',
    path: '/api/v1/setup',
    summary: 'Say whether the panel has been set up',
    access: 'anyone',
    answer: {
      status: 200,
      description: 'Whether a first owner is still missing.',
      schema: Strict({
        needed: Type.Boolean({ description: 'True until the first owner exists, and never again.' }),
        code_expires: maybe(Timestamp('When the code that was printed last ends. Null: none is good.')),
      }),
    },
    errors: [],
    example: { answer: { needed: true, code_expires: '2026-11-15T10:30:00Z' } },
  },
  'setup.finish': {
    method: 'POST',
    path: '/api/v1/setup',
    summary: 'Set the panel up',
    description: 'Makes the first owner, with the code that the panel printed when it started, and signs them in.',
    access: 'anyone',
    repeatable: false,
    body: Strict({
      code: Type.String({ maxLength: 128, description: 'As it was printed; case and dashes do not matter.' }),
      name: UserName,
      display_name: Type.Optional(DisplayName),
      password: NewPassword,
    }),
    answer: { ...signedIn, status: 201 },
    errors: ['setup_code_invalid', 'setup_closed'],
    example: {
      body: { code: 'EXAM-PLES-ETUP-CODE', name: 'ada', password: 'correct horse battery staple' },
      answer: exampleSignedIn,
    },
  },
  'auth.session': {
    method: 'GET',
    path: '/api/v1/auth/session',
    summary: 'Say who is signed in',
    description: 'Who, what they may do, and the token that writes need against forged requests.',
    access: 'anyone',
    answer: signedIn,
    errors: [],
    example: { answer: exampleSignedIn },
  },
  'auth.methods': {
    method: 'GET',
    path: '/api/v1/auth/methods',
    summary: 'Say how one can sign in',
    access: 'anyone',
    answer: {
      status: 200,
      description: 'What the sign-in page offers.',
      schema: Strict({
        passkey: Type.Boolean({ description: 'Whether this address can use passkeys: a name, over TLS or local.' }),
        oidc: maybe(
          Strict({ name: Type.String({ description: 'What people call the provider.' }) }),
          'Null: no provider is configured.',
        ),
      }),
    },
    errors: [],
    example: { answer: { passkey: true, oidc: { name: 'Example ID' } } },
  },
  'auth.login': {
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Sign in with a password',
    description:
      'Takes as long whether or not there is such a person. After repeated failures each further attempt waits longer, up to a quarter of an hour.',
    access: 'anyone',
    repeatable: false,
    body: Strict({
      name: Type.String({ maxLength: 128, description: 'What the person signs in with.' }),
      password: Password,
    }),
    answer: signedIn,
    errors: ['sign_in_failed'],
    example: { body: { name: 'ada', password: 'correct horse battery staple' }, answer: exampleSignedIn },
  },
  'auth.login_totp': {
    method: 'POST',
    path: '/api/v1/auth/login/totp',
    summary: 'Finish signing in with a code',
    description: 'The six digits of the authenticator, once each; or one of the recovery codes, which is then used up.',
    access: 'halfway',
    repeatable: false,
    body: Strict({ code: Type.String({ maxLength: 64, description: 'Six digits, or a recovery code.' }) }),
    answer: signedIn,
    errors: ['sign_in_failed'],
    example: { body: { code: '123456' }, answer: exampleSignedIn },
  },
  'auth.passkey_options': {
    method: 'POST',
    path: '/api/v1/auth/login/passkey/options',
    summary: 'Begin to sign in with a passkey',
    access: 'anyone',
    repeatable: false,
    body: Strict({}),
    answer: { status: 200, description: 'For `navigator.credentials.get`.', schema: WebAuthn('Request options.') },
    errors: ['not_found'],
    example: { body: {}, answer: { challenge: 'ZXhhbXBsZQ', rpId: 'localhost', userVerification: 'required' } },
  },
  'auth.login_passkey': {
    method: 'POST',
    path: '/api/v1/auth/login/passkey',
    summary: 'Sign in with a passkey',
    description: 'A passkey that verified its person is both factors at once.',
    access: 'anyone',
    repeatable: false,
    body: Strict({ response: WebAuthn('What `navigator.credentials.get` gave.') }),
    answer: signedIn,
    errors: ['sign_in_failed'],
    example: { body: { response: { id: 'ZXhhbXBsZQ', type: 'public-key' } }, answer: exampleSignedIn },
  },
  'auth.oidc_begin': {
    method: 'POST',
    path: '/api/v1/auth/oidc',
    summary: 'Begin to sign in by the provider',
    access: 'anyone',
    repeatable: false,
    body: Strict({
      return_to: Type.Optional(
        Type.String({ maxLength: 512, pattern: '^/(?![/\\\\])', description: 'Page of the panel to end on.' }),
      ),
    }),
    answer: {
      status: 200,
      description: 'Where to send the browser.',
      schema: Strict({ url: Type.String({ description: 'At the provider.' }) }),
    },
    errors: ['not_found', 'provider_unavailable'],
    example: { body: {}, answer: { url: 'https://id.example/authorize?client_id=meshwork' } },
  },
  'auth.oidc_callback': {
    method: 'GET',
    path: '/api/v1/auth/oidc/callback',
    summary: 'Come back from the provider',
    description: 'The provider sends the browser here. It ends on the panel, signed in or with the reason why not.',
    access: 'anyone',
    query: Type.Object({}, { additionalProperties: true }),
    answer: { status: 302, description: 'To the panel.' },
    errors: ['not_found'],
    example: { query: { code: 'example', state: 'example' } },
  },
  'auth.confirm': {
    method: 'POST',
    path: '/api/v1/auth/confirm',
    summary: 'Prove once more who one is',
    description: 'Good for ten minutes. Needed before anything that changes who can sign in, and how.',
    access: 'signed_in',
    repeatable: false,
    body: Strict({
      password: Type.Optional(Password),
      code: Type.Optional(Type.String({ maxLength: 64, description: 'Six digits, where the person has them.' })),
      passkey: Type.Optional(WebAuthn('What `navigator.credentials.get` gave; alone it is enough.')),
    }),
    answer: signedIn,
    errors: ['sign_in_failed'],
    example: { body: { password: 'correct horse battery staple' }, answer: exampleSignedIn },
  },
  'auth.logout': {
    method: 'POST',
    path: '/api/v1/auth/logout',
    summary: 'Sign out',
    description: 'Ends the session and the coordinator token behind it.',
    access: 'anyone',
    repeatable: false,
    body: Strict({}),
    answer: { status: 204, description: 'Nobody is signed in any more.' },
    errors: [],
    example: { body: {} },
  },
  'invitation.show': {
    method: 'POST',
    path: '/api/v1/invitation/look',
    summary: 'Look at an invitation',
    description: 'Whom it is for. A POST, because its code is a secret and belongs into no address.',
    access: 'anyone',
    repeatable: false,
    body: Strict({ code: Type.String({ maxLength: 128, description: 'As it was handed over.' }) }),
    answer: {
      status: 200,
      description: 'Whom it is for.',
      schema: Strict({ name: UserName, display_name: DisplayName, expires: Timestamp('Until when it is good.') }),
    },
    errors: ['invitation_invalid'],
    example: {
      body: { code: 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA' },
      answer: { name: 'ada', display_name: 'Ada', expires: '2026-11-22T09:30:00Z' },
    },
  },
  'invitation.accept': {
    method: 'POST',
    path: '/api/v1/invitation',
    summary: 'Accept an invitation',
    description: 'Sets the password and signs the person in. Works once.',
    access: 'anyone',
    repeatable: false,
    body: Strict({
      code: Type.String({ maxLength: 128, description: 'As it was handed over.' }),
      display_name: Type.Optional(DisplayName),
      password: NewPassword,
    }),
    answer: { ...signedIn, status: 201 },
    errors: ['invitation_invalid'],
    example: {
      body: { code: 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA', password: 'correct horse battery staple' },
      answer: exampleSignedIn,
    },
  },
});
export { NewPassword, Password, WebAuthn };
