/** The value of a setting as one says it: `45 s`, `366 days`, `For ever`. */
import { SETTINGS, type SettingPath, type SettingValue } from './setting-table.ts';

export function valueWords(path: SettingPath, value: SettingValue): string {
  const { unit, none = 'None' } = SETTINGS[path];
  if (value === null) return none;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value === '' ? 'Nothing' : value;
  const count = value.toLocaleString();
  if (unit === undefined) return count;
  if (unit === 's') return value < 120 ? `${count} s` : `${count} s (${minutes(value)})`;
  return unit === 'days' && value === 1 ? '1 day' : `${count} ${unit}`;
}

function minutes(seconds: number): string {
  const [unit, size] = seconds >= 7200 ? ['h', 3600] : ['min', 60];
  const amount = Math.round((seconds / Number(size)) * 10) / 10;
  return `${amount.toLocaleString()} ${unit}`;
}
