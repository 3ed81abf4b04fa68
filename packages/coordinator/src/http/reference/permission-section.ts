import {
  ALL_PERMISSIONS,
  BUILT_IN_ROLES,
  OPERATION_IDS,
  OPERATIONS,
  PERMISSIONS,
  type Permission,
} from '@meshwork/contract';
import { type Html, html, prose } from './html.ts';
import { table } from './table.ts';

const roles = Object.entries<{ readonly description: string; readonly permissions: readonly Permission[] }>(
  BUILT_IN_ROLES,
);

/** Who may do what: the built-in roles, then every permission against every role. */
export function permissionSection(): Html {
  return html`<section class="area" id="permissions" aria-labelledby="permissions-title">
<h2 id="permissions-title"><a href="#permissions">Permissions and roles</a></h2>
<p>Each operation needs exactly one permission, and a role is a named set of them. These roles are always there;
<a href="#roles.create">custom ones</a> can stand beside them.</p>
${table({
  caption: 'Built-in roles',
  kind: 'roles',
  plain: true,
  head: ['Role', 'For'],
  rows: roles.map(([name, { description }]) => ({ cells: [html`<code>${name}</code>`, description] })),
})}
${table({
  caption: 'Which role has which permission',
  kind: 'permissions',
  head: ['Permission', 'Allows to', ...roles.map(([name]) => name)],
  rows: ALL_PERMISSIONS.map((permission) => ({
    id: `permission-${permission}`,
    cells: [
      html`<a href="#permission-${permission}"><code>${permission}</code></a>`,
      html`${prose(PERMISSIONS[permission])}${operationsNeeding(permission)}`,
      ...roles.map(([name, { permissions }]) => mark(name, permissions.includes(permission))),
    ],
  })),
})}
</section>
`;
}

/** A narrow page hides the columns and shows the names of those roles that have it. */
function mark(role: string, granted: boolean): Html {
  return granted
    ? html`<span class="yes"><span class="tick" aria-hidden="true">✓</span><span class="role">${role}</span></span>`
    : html`<span class="no unseen">no</span>`;
}

function operationsNeeding(permission: Permission): Html | undefined {
  const ids = OPERATION_IDS.filter((id) => OPERATIONS[id].permission === permission);
  if (ids.length === 0) return undefined;
  return html`<span class="opens">${ids.map((id) => html`<a href="#${id}"><code>${id}</code></a> `)}</span>`;
}
