/** The pages in `docs/api/`: errors, permissions and events, as tables of the contract. */

import { ERROR_CODES, ERRORS } from '../error-table.ts';
import { EVENT_TYPES, EVENTS } from '../events.ts';
import type { Operation } from '../operation.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../operations.ts';
import { type PanelOperation, tokenPermissionOf } from '../panel/panel-operation.ts';
import { PANEL_OPERATION_IDS, PANEL_OPERATIONS } from '../panel/panel-operations.ts';
import { ALL_PERMISSIONS, PERMISSIONS, type Permission } from '../permissions.ts';
import { BUILT_IN_ROLES } from '../roles.ts';
import { table } from './markdown.ts';

const yes = (flag: boolean) => (flag ? 'yes' : 'no');

/** `docs/api/errors.md`. */
export function errorsPage(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, title, retryable, refusal, advice } = ERRORS[code];
    return [`\`${code}\``, String(status), title, yes(retryable), yes(refusal), advice];
  });
  return `# Errors

Every refusal is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`,
\`detail\`, \`code\`, \`retryable\`, \`request_id\` and, where single fields are at fault, \`errors\`.

- Programs decide by \`code\` and \`retryable\`. The text is for people and may change.
- _Retryable_: the same request may succeed later, with nothing changed. Wait as long as \`Retry-After\` says.
- _Audited_: a decision about access, which goes into the audit trail.
- \`type\` leads to the code on the reference page that each coordinator serves at \`/docs\`.

${table(['code', 'status', 'meaning', 'retryable', 'audited', 'what to do'], rows)}
`;
}

/** `docs/api/events.md`. */
export function eventsPage(): string {
  return `# Events

What \`GET /v1/events\` streams: server-sent events, each with its number as \`id\`, its type as \`event\`, and
as \`data\` a record with \`seq\`, \`type\`, \`at\`, \`subject\`, \`revision\` and \`data\`. A caller receives the events within its scope.
\`Last-Event-ID\` resumes where an earlier stream broke off; \`event: reset\` says that what was missed is no longer kept.

${table(
  ['type', 'what happened', 'data'],
  EVENT_TYPES.map((type) => [
    `\`${type}\``,
    EVENTS[type].summary,
    Object.keys(EVENTS[type].data.properties)
      .map((field) => `\`${field}\``)
      .join(', '),
  ]),
)}
`;
}

const roles = Object.entries<{ readonly description: string; readonly permissions: readonly Permission[] }>(
  BUILT_IN_ROLES,
);

const needingNode = OPERATION_IDS.filter((id) => (OPERATIONS[id] as Operation).caller === 'node');

/** `docs/api/permissions.md`. */
export function permissionsPage(): string {
  return `# Permissions and roles

Each operation needs exactly one permission, or none at all. A role is a named set of permissions; a token has one role.
What a token may do is its role, where it may do it is its scope.

## Built-in roles

${table(
  ['role', 'for'],
  roles.map(([name, { description }]) => [`\`${name}\``, description]),
)}

They can be neither changed nor deleted; custom roles stand beside them.

## Which role has which permission

${table(
  ['permission', ...roles.map(([name]) => name)],
  ALL_PERMISSIONS.map((permission) => [
    `\`${permission}\``,
    ...roles.map(([, { permissions }]) => (permissions.includes(permission) ? '✓' : '')),
  ]),
)}

## What each permission opens

An operation marked with an asterisk concerns the whole mesh: the scope of the token must be \`*\` for team, surface and
environment. The panel accepts the same tokens; its operations are marked. \`tokens:outlive\` opens none: it lifts the bound on the
expiry of tokens that are created or rotated.

${table(
  ['permission', 'allows to', 'operations'],
  ALL_PERMISSIONS.map((permission) => [
    `\`${permission}\``,
    PERMISSIONS[permission],
    [...operationsNeeding(permission).map(marked), ...panelOperationsNeeding(permission)].join(', '),
  ]),
)}

## Open to nodes

These need the session of the node itself, which it gets by proving its identity: ${needingNode.map(marked).join(', ')}.

## Open without credentials

These need no credentials: ${operationsNeeding(null).map(marked).join(', ')}.
`;
}

function operationsNeeding(permission: Permission | null): readonly OperationId[] {
  return OPERATION_IDS.filter((id) => OPERATIONS[id].permission === permission && !needingNode.includes(id));
}

function panelOperationsNeeding(permission: Permission): readonly string[] {
  return PANEL_OPERATION_IDS.filter((id) => tokenPermissionOf(PANEL_OPERATIONS[id]) === permission).map((id) => {
    const { reach }: PanelOperation = PANEL_OPERATIONS[id];
    return `\`panel ${id}\`${reach === 'mesh' ? '\\*' : ''}`;
  });
}

function marked(id: OperationId): string {
  return `\`${id}\`${OPERATIONS[id].reach === 'mesh' ? '\\*' : ''}`;
}
