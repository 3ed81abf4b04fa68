import { auditOperations } from './areas/audit.ts';
import { metaOperations } from './areas/meta.ts';
import { roleOperations } from './areas/roles.ts';
import { selfOperations } from './areas/self.ts';
import { settingsOperations } from './areas/settings.ts';
import { tokenOperations } from './areas/tokens.ts';
import type { Operation } from './operation.ts';

/** The one table of operations. A new area adds its file under `areas/` and its line here. */
export const OPERATIONS = {
  ...tokenOperations,
  ...roleOperations,
  ...selfOperations,
  ...auditOperations,
  ...settingsOperations,
  ...metaOperations,
} as const satisfies Record<`${string}.${string}`, Operation>;

export type Operations = typeof OPERATIONS;
/** `thing.verb`: also the action in the audit trail and the label in metrics. */
export type OperationId = keyof Operations;
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

/** The areas as people know them, in the order that reference pages show them. */
export const AREAS: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  tokens: { title: 'Tokens', description: 'Scoped credentials for automation.' },
  roles: { title: 'Roles', description: 'Named sets of permissions.' },
  self: { title: 'Identity', description: 'Who the caller is and what it may do.' },
  audit: { title: 'Audit', description: 'Who did what, in a chain that shows when it was tampered with.' },
  settings: { title: 'Settings', description: 'What operators tune while the mesh runs.' },
  meta: { title: 'Meta', description: 'Health, metrics and this description itself.' },
};

export function areaOf(id: OperationId): string {
  return id.slice(0, id.indexOf('.'));
}
