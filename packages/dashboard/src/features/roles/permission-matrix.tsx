import type { PermissionInfo, Role } from '@meshwork/contract';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { Fragment } from 'react';
import { groupPermissions } from '../../mesh/permission-groups.ts';
import classes from './permission-matrix.module.css';

interface PermissionMatrixProps {
  readonly roles: readonly Role[];
  readonly permissions: readonly PermissionInfo[];
}

/** Every permission against every role. */
export function PermissionMatrix({ roles, permissions }: PermissionMatrixProps) {
  const has = new Map(roles.map((role) => [role.name, new Set(role.permissions)]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className={classes.scroller} aria-label="Permissions by role" tabIndex={0}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groupPermissions(permissions).map(({ area, permissions: members }) => (
            <Fragment key={area}>
              <tr className={classes.area}>
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {area}
                </th>
              </tr>
              {members.map(({ name, description }) => (
                <tr key={name}>
                  <th scope="row" title={description}>
                    {name}
                  </th>
                  {roles.map((role) => (
                    <td key={role.name} data-has={has.get(role.name)?.has(name) === true}>
                      {has.get(role.name)?.has(name) === true ? (
                        <IconCheck size={16} role="img" aria-label="Yes" />
                      ) : (
                        <IconMinus size={14} role="img" aria-label="No" />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}
