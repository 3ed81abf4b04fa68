/** The roles that a person or a token can have. */
import { BUILT_IN_ROLES } from '@meshwork/contract/vocabulary';
import { useList } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';

export interface AssignableRole {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

/** Only the panel's own token has it. */
const RESERVED = 'panel';

const BUILT_IN: readonly AssignableRole[] = Object.entries(BUILT_IN_ROLES).map(([name, role]) => ({ name, ...role }));

/** Without permission to list roles, the built-in ones. */
export function useAssignableRoles(): readonly AssignableRole[] {
  const listed = useList('roles.list', undefined, { enabled: useMay()('roles:read') });
  const roles: readonly AssignableRole[] = listed.items.length === 0 ? BUILT_IN : listed.items;
  return roles.filter(({ name }) => name !== RESERVED);
}
