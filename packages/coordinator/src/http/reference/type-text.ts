import { nameOf } from '@meshwork/contract';
import { type Html, html, type Part } from './html.ts';

/** What we read of a JSON Schema. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const CHOICES_SHOWN = 6;

/** The kind of value, in a few words: `string`, `list of Token`, `integer or null`. */
export function typeText(schema: Schema): Html {
  const choices = schema.enum ?? constantsOf(schema.anyOf);
  if (choices !== undefined) return choiceText(choices);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.anyOf !== undefined) return html`${joined(schema.anyOf.map(typeText), ' or ')}`;
  if (schema.items !== undefined)
    return html`list of ${isPlainObject(schema.items) ? 'objects' : typeText(schema.items)}`;
  const name = nameOf(schema);
  if (name !== undefined) return html`${name}`;
  if (schema.patternProperties !== undefined) {
    return html`map of ${joined(Object.values(schema.patternProperties).map(typeText), ' or ')}`;
  }
  if (schema.format === 'date-time') return html`date and time`;
  return html`${schema.type ?? 'anything'}`;
}

function isPlainObject(schema: Schema): boolean {
  return schema.properties !== undefined && nameOf(schema) === undefined;
}

function constantsOf(schemas: readonly Schema[] | undefined): readonly unknown[] | undefined {
  const constants = schemas?.map((schema) => schema.const);
  return constants?.every((constant) => constant !== undefined) === true ? constants : undefined;
}

function choiceText(choices: readonly unknown[]): Html {
  const shown = choices.slice(0, CHOICES_SHOWN).map((choice) => html`<code>${String(choice)}</code>`);
  const rest = choices.length - shown.length;
  return html`${joined(shown, ', ')}${rest > 0 ? ` and ${rest} more` : undefined}`;
}

function joined(parts: readonly Part[], between: string): readonly Part[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]));
}

/** What a value must also be, to be taken. Patterns are left to the words beside them, and to the OpenAPI document. */
export function limitsText(schema: Schema): Html | undefined {
  const inner = schema.anyOf?.find((choice) => choice.type !== 'null') ?? schema;
  const limits = [
    range(inner.minimum, inner.maximum, ''),
    inner.format === undefined ? range(inner.minLength, inner.maxLength, ' characters') : undefined,
    range(inner.minItems, inner.maxItems, ' items'),
    schema.default === undefined ? undefined : html`default <code>${JSON.stringify(schema.default)}</code>`,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : html`${joined(limits, '; ')}`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  if (least === undefined && most === undefined) return undefined;
  if (least === undefined) return `at most ${most}${unit}`;
  return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}
