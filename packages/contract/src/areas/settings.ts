import Type, { type Static } from 'typebox';
import { named } from '../named.ts';
import { defineOperations, Strict } from '../operation.ts';
import { DEFAULT_SURFACE_ROLES } from '../roles.ts';
import { RoleName } from './roles.ts';

const SurfaceName = '^[a-z0-9][a-z0-9._-]{0,62}$';
const lifetime = { minimum: 1, maximum: 3660, description: 'The longest a token may be made to live, in days.' };
const perSecond = {
  minimum: 1,
  maximum: 1_000_000,
  description: 'Requests a second that one token may send for long.',
};
const burst = { minimum: 1, maximum: 1_000_000, description: 'Requests that one token may send at once.' };
const days = Type.Union([Type.Integer({ minimum: 1, maximum: 36_600 }), Type.Null()], {
  description: 'Days that audit entries are kept. Null: for ever.',
});

/** Everything an operator can tune while the mesh runs. Each area adds a section of its own. */
export const Settings = named(
  'Settings',
  Type.Object(
    {
      tokens: Type.Object(
        {
          max_lifetime_days: Type.Integer(lifetime),
          surface_roles: Type.Record(Type.String({ pattern: SurfaceName }), RoleName, {
            description: 'The role of a token that names none, by its surface.',
          }),
        },
        { additionalProperties: false, description: 'Scoped tokens.' },
      ),
      api: Type.Object(
        { rate_per_s: Type.Integer(perSecond), burst: Type.Integer(burst) },
        { additionalProperties: false, description: 'Rate limits.' },
      ),
      audit: Type.Object({ retention_days: days }, { additionalProperties: false, description: 'The audit trail.' }),
    },
    { additionalProperties: false },
  ),
);
export type Settings = Static<typeof Settings>;

/** JSON merge patch (RFC 7396): what is absent stays, and `null` removes an entry of `surface_roles`. */
export const SettingsPatch = Strict({
  tokens: Type.Optional(
    Strict(
      {
        max_lifetime_days: Type.Optional(Type.Integer(lifetime)),
        surface_roles: Type.Optional(
          Type.Record(Type.String({ pattern: SurfaceName }), Type.Union([RoleName, Type.Null()]), {
            additionalProperties: false,
            maxProperties: 200,
            description: 'The role of a token that names none, by its surface. Null removes an entry.',
          }),
        ),
      },
      { description: 'Scoped tokens.' },
    ),
  ),
  api: Type.Optional(
    Strict(
      { rate_per_s: Type.Optional(Type.Integer(perSecond)), burst: Type.Optional(Type.Integer(burst)) },
      { description: 'Rate limits.' },
    ),
  ),
  audit: Type.Optional(Strict({ retention_days: Type.Optional(days) }, { description: 'The audit trail.' })),
});
export type SettingsPatch = Static<typeof SettingsPatch>;

export const DEFAULT_SETTINGS: Settings = {
  tokens: { max_lifetime_days: 366, surface_roles: { ...DEFAULT_SURFACE_ROLES } },
  api: { rate_per_s: 100, burst: 400 },
  audit: { retention_days: null },
};

export const settingsOperations = defineOperations({
  'settings.show': {
    method: 'GET',
    path: '/v1/settings',
    summary: 'Show the settings of the mesh',
    permission: 'settings:read',
    reach: 'mesh',
    versioned: true,
    answer: { status: 200, description: 'The settings.', schema: Settings },
    errors: [],
    example: { answer: DEFAULT_SETTINGS },
  },
  'settings.update': {
    method: 'PATCH',
    path: '/v1/settings',
    summary: 'Change settings of the mesh',
    description: 'A JSON merge patch: name only what changes.',
    permission: 'settings:write',
    reach: 'mesh',
    body: SettingsPatch,
    versioned: true,
    answer: { status: 200, description: 'The settings as they are now.', schema: Settings },
    errors: [],
    example: {
      body: { tokens: { max_lifetime_days: 90 } },
      answer: { ...DEFAULT_SETTINGS, tokens: { ...DEFAULT_SETTINGS.tokens, max_lifetime_days: 90 } },
    },
  },
});
