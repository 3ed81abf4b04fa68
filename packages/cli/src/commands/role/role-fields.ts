import type { Role } from '@meshwork/contract';
import { permissionFields } from '../../rights-text.ts';
import { fields } from '../../table.ts';

export function roleFields({ name, description, built_in, permissions }: Role): string {
  return fields([
    ['name', name],
    ['description', description],
    ['built in', built_in ? 'yes' : 'no'],
    ...permissionFields(permissions),
  ]);
}
