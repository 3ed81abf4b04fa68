/** Unsaved changes. Only these are sent, so that saving does not undo the changes of others. */
import type { Settings, SettingsPatch } from '@meshwork/contract';
import { isSame, type SettingPath, type SettingValue } from '../../feature/setting-fields.ts';
import { partsOf, valueAt } from './setting-table.ts';

export interface Change {
  readonly after: SettingValue;
  /** What it was when it was changed here. If it differs now, another person changed it meanwhile. */
  readonly before: SettingValue;
}

export interface Draft {
  readonly values: ReadonlyMap<SettingPath, Change>;
  /** By surface. Null: its entry goes. */
  readonly surface_roles: ReadonlyMap<string, string | null>;
}

export const NOTHING: Draft = { values: new Map(), surface_roles: new Map() };

export function withValue(draft: Draft, settings: Settings, path: SettingPath, after: SettingValue): Draft {
  const values = new Map(draft.values);
  const before = valueAt(settings, path);
  if (isSame(after, before)) values.delete(path);
  else values.set(path, { after, before: draft.values.get(path)?.before ?? before });
  return { ...draft, values };
}

export function withSurface(draft: Draft, settings: Settings, surface: string, role: string | null): Draft {
  const surface_roles = new Map(draft.surface_roles);
  if ((settings.tokens.surface_roles[surface] ?? null) === role) surface_roles.delete(surface);
  else surface_roles.set(surface, role);
  return { ...draft, surface_roles };
}

export function countOf({ values, surface_roles }: Draft): number {
  return values.size + surface_roles.size;
}

/** False while a field is empty: there is nothing to send for it. */
export function isWhole({ values }: Draft): boolean {
  return [...values.values()].every(({ after }) => after !== '');
}

export function patchOf({ values, surface_roles }: Draft): SettingsPatch {
  const patch: Record<string, Record<string, unknown>> = {};
  for (const [path, { after }] of values) {
    const [section, field] = partsOf(path);
    patch[section] = { ...patch[section], [field]: after };
  }
  if (surface_roles.size > 0) patch.tokens = { ...patch.tokens, surface_roles: Object.fromEntries(surface_roles) };
  return patch;
}
