import { mergedTables } from './area.ts';
import { AREA_LIST } from './areas/areas.ts';

/** The one table of operations. Its rows stand in the areas. */
export const OPERATIONS = mergedTables(AREA_LIST, 'operations');

export type Operations = typeof OPERATIONS;
/** `thing.verb`: also the action in the audit trail and the label in metrics. */
export type OperationId = keyof Operations;
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

/** The areas as people know them, in the order that reference pages show them. */
export const AREAS: Readonly<Record<string, { readonly title: string; readonly description: string }>> =
  Object.fromEntries(
    AREA_LIST.flatMap((area) =>
      'operations' in area ? [[area.name, { title: area.title, description: area.description }]] : [],
    ),
  );

export function areaOf(id: OperationId): string {
  return id.slice(0, id.indexOf('.'));
}
