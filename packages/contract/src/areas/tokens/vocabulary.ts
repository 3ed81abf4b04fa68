import type { Vocabulary } from '../../vocabulary-type.ts';

/**
 * `active`: good until `expires`. `retiring`: rotated; its secret is good until `retires_at`.
 * `used_up`: has enrolled all the nodes it was made for, and enrols no more; what else its role allows it still may.
 * `expired`: past `expires` or `retires_at`. `revoked`: ended by a person or a token.
 */
export const TOKEN_STATES = ['active', 'retiring', 'used_up', 'expired', 'revoked'] as const;
export type TokenState = (typeof TOKEN_STATES)[number];

/** The longest that a rotated token's old secret stays good. */
export const MAX_ROTATION_DEADLINE_S = 24 * 3600;
export const DEFAULT_ROTATION_DEADLINE_S = 3600;

export const tokenVocabulary = {
  permissions: {
    'tokens:read': 'List and read tokens within your scope, never their secrets.',
    'tokens:create': 'Create tokens. They cannot exceed your permissions, scope or expiry.',
    'tokens:outlive': 'Create tokens, and rotate those of others, that stay valid after your own token has ended.',
    'tokens:rotate': 'Rotate a token that does not exceed your permissions and scope.',
    'tokens:revoke': 'Revoke a token within your scope.',
    'tokens:delegate':
      'Act for people who have signed in, each with a role and scope of their own. Only the panel has it.',
  },
  ids: { token: 'token' },
} as const satisfies Vocabulary;
