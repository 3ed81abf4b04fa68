/** One record for people, from its schema, where no area says it better. */

import { scopeText } from '../rights-text.ts';
import { alignedRows, fields } from '../table.ts';
import { printable } from '../terminal-text.ts';
import { when } from '../when.ts';
import { type Schema, schemaName, withoutNull } from '../words/schema.ts';

/** A field a line; what is null or empty is left out. */
export function recordText(value: unknown, schema: Schema | undefined): string {
  if (typeof value !== 'object' || value === null) return printable(String(value));
  const pairs = Object.entries(value).flatMap(([name, member]): [string, string][] => {
    const text = valueText(member, schema?.properties?.[name] ?? {});
    return text === undefined ? [] : [[labelOf(name), text]];
  });
  return pairs.length === 0 ? alignedRows([['-']]) : fields(pairs);
}

/** `created_at` → `created`, `display_name` → `display name`. */
export function labelOf(name: string): string {
  return name.replace(/_(at|s|ms)$/, '').replaceAll('_', ' ');
}

/** Undefined: there is nothing to say. */
export function valueText(
  value: unknown,
  given: Schema,
  time: (timestamp: string) => string = when,
): string | undefined {
  const { schema } = withoutNull(given);
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return schema.format === 'date-time' ? time(value) : value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => valueText(item, schema.items ?? {}, time) ?? '-');
    return items.length === 0 ? undefined : items.join(', ');
  }
  return objectText(value, schema, time);
}

function objectText(value: object, schema: Schema, time: (timestamp: string) => string): string | undefined {
  if (schemaName(schema) === 'Scope') return scopeText(value as Parameters<typeof scopeText>[0]);
  // Who did it, or what it is about: known by a name.
  if ('name' in value && typeof value.name === 'string') return value.name;
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const text = valueText(member, schema.properties?.[name] ?? {}, time);
    return text === undefined ? [] : [`${labelOf(name)} ${text}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}
