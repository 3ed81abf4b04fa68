/** What each setting means to the person who changes it. Each feature has the fields of its own sections. */
import type { Settings } from '@meshwork/contract';

export type SettingSectionId = keyof Settings;
/** Every setting that is one value. The roles of surfaces are a table, and have an editor of their own. */
type FieldsOf<S extends SettingSectionId> = Exclude<keyof Settings[S] & string, 'surface_roles'>;
/** `nodes.stale_after_s` */
export type SettingPath = { [S in SettingSectionId]: `${S}.${FieldsOf<S>}` }[SettingSectionId];
export type SettingValue = number | string | boolean | readonly string[] | null;

export interface SettingField {
  readonly label: string;
  readonly meaning: string;
  readonly kind: 'count' | 'text' | 'list' | 'switch';
  /** Of a text or an entry of a list: what it looks like, such as `a network, such as 100.64.0.0/10`. */
  readonly example?: string;
  /** Of a count. */
  readonly unit?: 'ms' | 's' | '%' | 'days' | 'requests/s' | 'requests';
  /** What no value at all means, where that is allowed. */
  readonly none?: string;
  /** What follows from a change. Null: nothing to warn about. */
  readonly consequence?: (after: SettingValue, before: SettingValue) => string | null;
}

/** The compiler asks for a field for each setting of a section. */
export type SettingSections = {
  readonly [S in SettingSectionId]?: {
    readonly title: string;
    readonly description: string;
    readonly fields: Readonly<Record<FieldsOf<S>, SettingField>>;
  };
};

export function isSame(one: SettingValue, other: SettingValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function isLess(after: SettingValue, before: SettingValue): boolean {
  return typeof after === 'number' && (before === null || (typeof before === 'number' && after < before));
}
