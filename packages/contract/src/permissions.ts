/**
 * Everything a credential can be allowed to do. An operation needs exactly one of these; a role is a set of them.
 * Each is needed by an operation of the coordinator or the panel, but for `OUTLIVE`, which widens one. A permission comes
 * with its area: a stored custom role that names one of another version keeps working without it.
 */
export const PERMISSIONS = {
  'self:read': 'See who one is and what one may do. Every valid credential has it.',
  'tokens:read': 'List and read tokens inside the own scope, never their secrets.',
  'tokens:create': 'Create tokens no stronger, no wider and no longer-lived than oneself.',
  'tokens:outlive': 'Create tokens, and rotate those of others, that stay valid after the own token has ended.',
  'tokens:rotate': 'Replace the secret of a token no stronger and no wider than oneself.',
  'tokens:revoke': 'End a token inside the own scope.',
  'tokens:delegate':
    'Speak for people who have signed in, each with a role and scope of their own. Only the panel has it.',
  'users:read': 'List and read the people who can sign in to the panel, and their sessions.',
  'users:write': 'Invite, change and remove people no stronger and no wider than oneself, and end their sessions.',
  'roles:read': 'List and read roles.',
  'roles:write': 'Create, change and delete custom roles no stronger than oneself.',
  'audit:read': 'Read and export the audit trail inside the own scope.',
  'audit:verify': 'Check the hash chain of the whole audit trail.',
  'settings:read': 'Read the settings of the mesh.',
  'settings:write': 'Change the settings of the mesh.',
  'metrics:read': 'Scrape the metrics of the coordinator.',
  'events:read': 'Follow the stream of events inside the own scope.',
  'nodes:read': 'List and read nodes, their posture and services.',
  'nodes:enroll': 'Enrol new nodes inside the own scope.',
  'nodes:write': 'Re-tag, re-key and drain nodes, move their relay and approve their routes.',
  'nodes:diagnose': 'Have a node say how it stands.',
  'nodes:approve': 'Let a pending node in.',
  'nodes:quarantine': 'Cut a node off, and release it.',
  'nodes:remove': 'Remove a node for good.',
  'operations:read': 'Follow operations on nodes.',
  'operations:cancel': 'Cancel an operation that is under way.',
  'peers:read': 'See the links between nodes, from both sides.',
  'acls:read': 'Read the policy and its versions, validate and preview a change, ask for explanations.',
  'acls:write': 'Replace the policy or restore an earlier version.',
  'relays:read': 'List and read relays.',
  'relays:write': 'Create, change, drain and delete relays.',
  'ingress:read': 'List and read ingresses.',
  'ingress:write': 'Create, change, drain and delete ingresses.',
  'firewall:read': 'Read and preview host firewall rules.',
  'firewall:write': 'Create, change, order and delete host firewall rules.',
} as const satisfies Record<`${string}:${string}`, string>;

export type Permission = keyof typeof PERMISSIONS;

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/**
 * What only the built-in role `panel` has. Whoever speaks for people can become anybody, so nobody can give this away: not
 * even an owner has it, and no custom role can contain it (docs/decisions/0027).
 */
export const DELEGATE: Permission = 'tokens:delegate';

/**
 * Lifts the bound on the expiry of what a token makes. No operation needs it: `tokens.create` and `tokens.rotate` ask for it
 * when a longer life is wanted (docs/decisions/0035).
 */
export const OUTLIVE: Permission = 'tokens:outlive';

/** What a custom role can contain. */
export const GRANTABLE_PERMISSIONS: readonly Permission[] = ALL_PERMISSIONS.filter((one) => one !== DELEGATE);

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text);
}
