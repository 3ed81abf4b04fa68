/** The roles that a token can have, as far as the person may know of them. */
import { BUILT_IN_ROLES } from '@meshwork/contract';
import { useList } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';

export interface OfferedRole {
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
}

/** Only the coordinator itself makes a token with it. */
const NOBODYS = 'panel';

const BUILT_IN: readonly OfferedRole[] = Object.entries(BUILT_IN_ROLES).map(([name, role]) => ({ name, ...role }));

/** Who may not list roles still knows those that every mesh has. */
export function useRoles(): readonly OfferedRole[] {
  const listed = useList('roles.list', undefined, { enabled: useMay()('roles:read') });
  const roles: readonly OfferedRole[] = listed.items.length === 0 ? BUILT_IN : listed.items;
  return roles.filter(({ name }) => name !== NOBODYS);
}
