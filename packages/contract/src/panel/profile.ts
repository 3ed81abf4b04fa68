import { maybe } from '../maybe.ts';
import { named } from '../named.ts';
import { Strict } from '../operation.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, Type } from '../type.ts';
import { VISIBLE_TEXT } from '../visible-text.ts';
import { definePanelOperations } from './panel-operation.ts';
import { NewPassword, Password, WebAuthn } from './sign-in-state.ts';
import { DisplayName, exampleUser, User } from './users.ts';

export const APPEARANCES = ['auto', 'light', 'dark'] as const;

export const Passkey = named(
  'Passkey',
  Type.Object(
    {
      id: Type.String({ description: 'Names the passkey.' }),
      name: Type.String({ description: 'What its owner calls it.' }),
      created_at: Timestamp('When it was added.'),
      last_used_at: maybe(Timestamp('Null: never yet.')),
    },
    { additionalProperties: false },
  ),
);
export type Passkey = Static<typeof Passkey>;

export const Profile = named(
  'Profile',
  Type.Object(
    {
      user: User,
      appearance: Type.Enum(APPEARANCES, { description: 'Colours of the panel. `auto`: as the device.' }),
      has_password: Type.Boolean({ description: 'Whether a password is set.' }),
      totp: Type.Object(
        {
          enabled: Type.Boolean({ description: 'Whether signing in with a password asks for a code.' }),
          recovery_codes_left: Type.Integer({ description: 'Recovery codes that were not used yet.' }),
        },
        { additionalProperties: false },
      ),
      passkeys: Type.Array(Passkey, { description: 'Oldest first.' }),
      oidc: maybe(Type.String(), 'The person’s name at the provider. Null: not linked.'),
    },
    { additionalProperties: false },
  ),
);
export type Profile = Static<typeof Profile>;

const examplePasskey: Passkey = {
  id: 'ZXhhbXBsZQ',
  name: 'laptop',
  created_at: '2026-11-15T09:30:00Z',
  last_used_at: null,
};
const exampleProfile: Profile = {
  user: exampleUser,
  appearance: 'auto',
  has_password: true,
  totp: { enabled: true, recovery_codes_left: 10 },
  passkeys: [examplePasskey],
  oidc: null,
};
const profile = { status: 200, description: 'Your account as it is now.', schema: Profile } as const;
const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: VISIBLE_TEXT,
  description: 'What to call it.',
});
const RecoveryCodes = Strict({
  recovery_codes: Type.Array(Type.String(), { description: 'Each signs in once. Shown here and never again.' }),
});
const exampleCodes = { recovery_codes: ['exam-plec-ode1', 'exam-plec-ode2'] };

export const profileOperations = definePanelOperations({
  'profile.show': {
    method: 'GET',
    path: '/api/v1/profile',
    summary: 'Show your account',
    access: 'signed_in',
    answer: profile,
    errors: [],
    example: { answer: exampleProfile },
  },
  'profile.update': {
    method: 'PATCH',
    path: '/api/v1/profile',
    summary: 'Change your account',
    access: 'signed_in',
    body: Strict({
      display_name: Type.Optional(DisplayName),
      appearance: Type.Optional(Type.Enum(APPEARANCES, { description: 'Colours of the panel.' })),
    }),
    answer: profile,
    errors: [],
    example: { body: { appearance: 'dark' }, answer: { ...exampleProfile, appearance: 'dark' } },
  },
  'profile.change_password': {
    method: 'POST',
    path: '/api/v1/profile/password',
    summary: 'Change your password',
    description: 'Ends every other session of the person, and gives this one a new cookie.',
    access: 'signed_in',
    repeatable: false,
    body: Strict({ current: Password, password: NewPassword }),
    answer: profile,
    errors: ['sign_in_failed'],
    example: {
      body: { current: 'correct horse battery staple', password: 'a longer and better one' },
      answer: exampleProfile,
    },
  },
  'totp.begin': {
    method: 'POST',
    path: '/api/v1/profile/totp',
    summary: 'Begin to set up an authenticator',
    description: 'Gives a secret for the authenticator. Nothing changes until a first code confirms it.',
    access: 'signed_in',
    confirmed: true,
    repeatable: false,
    body: Strict({}),
    answer: {
      status: 200,
      description: 'For the authenticator. Shown here and never again.',
      schema: Strict({
        secret: Type.String({ description: 'Base32, to type in.' }),
        uri: Type.String({ description: '`otpauth:` address, to scan.' }),
      }),
    },
    errors: [],
    example: {
      body: {},
      answer: { secret: 'EXAMPLEEXAMPLE22', uri: 'otpauth://totp/Meshwork:ada?secret=EXAMPLEEXAMPLE22' },
    },
  },
  'totp.finish': {
    method: 'POST',
    path: '/api/v1/profile/totp/finish',
    summary: 'Finish setting up the authenticator',
    access: 'signed_in',
    confirmed: true,
    repeatable: false,
    body: Strict({
      code: Type.String({
        maxLength: 16,
        pattern: '^\\s*([0-9]\\s*){6}$',
        description: 'The six digits it shows, 0 to 9. Blanks between them do not matter.',
      }),
    }),
    answer: { status: 200, description: 'Recovery codes, in case the authenticator is lost.', schema: RecoveryCodes },
    errors: ['sign_in_failed'],
    example: { body: { code: '123456' }, answer: exampleCodes },
  },
  'totp.new_recovery_codes': {
    method: 'POST',
    path: '/api/v1/profile/totp/recovery-codes',
    summary: 'Make new recovery codes',
    description: 'The old codes stop working at once.',
    access: 'signed_in',
    confirmed: true,
    repeatable: false,
    body: Strict({}),
    answer: { status: 200, description: 'The new ones.', schema: RecoveryCodes },
    errors: ['not_found'],
    example: { body: {}, answer: exampleCodes },
  },
  'totp.remove': {
    method: 'DELETE',
    path: '/api/v1/profile/totp',
    summary: 'Stop using the authenticator',
    access: 'signed_in',
    confirmed: true,
    answer: profile,
    errors: [],
    example: { answer: { ...exampleProfile, totp: { enabled: false, recovery_codes_left: 0 } } },
  },
  'passkeys.begin': {
    method: 'POST',
    path: '/api/v1/profile/passkeys/options',
    summary: 'Begin to add a passkey',
    access: 'signed_in',
    confirmed: true,
    repeatable: false,
    body: Strict({}),
    answer: { status: 200, description: 'For `navigator.credentials.create`.', schema: WebAuthn('Creation options.') },
    errors: ['too_many', 'not_found'],
    example: { body: {}, answer: { challenge: 'ZXhhbXBsZQ', rp: { name: 'Meshwork', id: 'localhost' } } },
  },
  'passkeys.add': {
    method: 'POST',
    path: '/api/v1/profile/passkeys',
    summary: 'Add a passkey',
    access: 'signed_in',
    confirmed: true,
    repeatable: false,
    body: Strict({ name: PasskeyName, response: WebAuthn('What `navigator.credentials.create` gave.') }),
    answer: { status: 201, description: 'Your account with it.', schema: Profile },
    errors: ['sign_in_failed', 'already_exists', 'too_many', 'not_found'],
    example: { body: { name: 'laptop', response: { id: 'ZXhhbXBsZQ', type: 'public-key' } }, answer: exampleProfile },
  },
  'passkeys.remove': {
    method: 'DELETE',
    path: '/api/v1/profile/passkeys/{id}',
    summary: 'Remove a passkey',
    access: 'signed_in',
    confirmed: true,
    params: Type.Object({ id: Type.String({ maxLength: 1024, description: 'Id of the passkey.' }) }),
    answer: profile,
    errors: [],
    example: { params: { id: examplePasskey.id }, answer: { ...exampleProfile, passkeys: [] } },
  },
});
