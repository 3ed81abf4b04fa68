import { VOCABULARIES } from './vocabularies.ts';

type PermissionTable = Extract<(typeof VOCABULARIES)[number], { readonly permissions: object }>['permissions'];
export type Permission = PermissionTable extends infer Table ? (Table extends Table ? keyof Table : never) : never;

/**
 * Everything a credential can be allowed to do. An operation needs exactly one of these; a role is a set of them.
 * Each is needed by an operation of the coordinator or the panel, but for `OUTLIVE`, which widens one. A permission comes
 * with its area: a stored custom role that names one of another version keeps working without it.
 */
export const PERMISSIONS: Readonly<Record<Permission, string>> = Object.assign(
  {},
  ...VOCABULARIES.map((vocabulary) => ('permissions' in vocabulary ? vocabulary.permissions : {})),
);

export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

/**
 * What only the built-in role `panel` has. A caller that acts for people can become any person, so this cannot be granted:
 * not even an owner has it, and no custom role can contain it (docs/decisions/0027).
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
