/** The settings of all features, as the settings page shows them. */
import type { Settings } from '@meshwork/contract';
import type { Feature } from '../../feature/feature.ts';
import { useFeatures } from '../../feature/feature-list.ts';
import type { SettingField, SettingPath, SettingSectionId, SettingValue } from '../../feature/setting-fields.ts';

interface SettingSection {
  readonly id: SettingSectionId;
  readonly title: string;
  readonly description: string;
  readonly settings: readonly Setting[];
}

export interface Setting extends SettingField {
  readonly path: SettingPath;
}

export function useSettingSections(): readonly SettingSection[] {
  return settingSections(useFeatures());
}

export function settingSections(features: readonly Feature[]): readonly SettingSection[] {
  return features.flatMap(({ settings = {} }) =>
    Object.entries(settings).map(([id, { title, description, fields }]) => ({
      id: id as SettingSectionId,
      title,
      description,
      settings: Object.entries(fields).map(([field, shown]) => ({ ...shown, path: `${id}.${field}` as SettingPath })),
    })),
  );
}

export function valueAt(settings: Settings, path: SettingPath): SettingValue {
  const [section, field] = partsOf(path);
  return (settings[section] as Readonly<Record<string, SettingValue>>)[field] ?? null;
}

export function partsOf(path: SettingPath): readonly [section: SettingSectionId, field: string] {
  const dot = path.indexOf('.');
  return [path.slice(0, dot) as SettingSectionId, path.slice(dot + 1)];
}

/** The value of a setting in words: `45 s`, `366 days`, `Forever`. */
export function valueText({ unit, none = 'None' }: SettingField, value: SettingValue): string {
  if (value === null) return none;
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (typeof value === 'string') return value === '' ? 'Nothing' : value;
  if (typeof value === 'object') return value.length === 0 ? none : value.join(', ');
  const count = value.toLocaleString();
  if (unit === undefined) return count;
  if (unit === 's') return value < 120 ? `${count} s` : `${count} s (${rounded(value)})`;
  return unit === 'days' && value === 1 ? '1 day' : `${count} ${unit}`;
}

/** In the largest unit of which there are two. */
function rounded(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one) ?? UNITS[2];
  return `${(Math.round((seconds / size) * 10) / 10).toLocaleString()} ${unit}`;
}
const UNITS = [
  ['days', 86_400],
  ['h', 3600],
  ['min', 60],
] as const;
