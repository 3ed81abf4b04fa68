import { nameOf } from '../named.ts';
import type { TSchema } from '../type.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export interface SchemaWriter {
  /** Plain JSON Schema; what has a name becomes a `$ref` to its component. */
  write(schema: TSchema): JsonSchema;
  /** Every named schema met so far, and what those name in turn, by name. */
  components(): Readonly<Record<string, JsonSchema>>;
}

export function schemaWriter(): SchemaWriter {
  const met = new Map<string, JsonSchema>();

  function write(schema: TSchema): JsonSchema {
    const name = nameOf(schema);
    if (name === undefined) return convert(schema);
    if (!met.has(name)) {
      met.set(name, {}); // before the walk, so that a schema may contain itself
      met.set(name, convert(schema));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function convert(schema: TSchema): JsonSchema {
    const entries = Object.entries(withPlainChoices(schema)).filter(([keyword]) => !keyword.startsWith('~'));
    return Object.fromEntries(entries.map(([keyword, value]) => [keyword, convertKeyword(keyword, value)]));
  }

  function convertKeyword(keyword: string, value: unknown): unknown {
    switch (keyword) {
      case 'properties':
      case 'patternProperties':
        return Object.fromEntries(
          Object.entries(value as Record<string, TSchema>).map(([key, inner]) => [key, write(inner)]),
        );
      case 'anyOf':
      case 'allOf':
      case 'oneOf':
      case 'prefixItems':
        return (value as readonly TSchema[]).map(write);
      case 'items':
      case 'additionalProperties':
      case 'propertyNames':
      case 'not':
        return typeof value === 'object' ? write(value as TSchema) : value;
      default:
        return value;
    }
  }

  return {
    write,
    components: () => Object.fromEntries([...met].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** A union of texts, and TypeBox's untyped enum, in the one form that every generator of clients understands. */
function withPlainChoices(schema: TSchema): object {
  const texts = textChoices(schema);
  if (texts === undefined) return schema;
  const { anyOf: _, enum: __, ...rest } = schema as { readonly anyOf?: unknown; readonly enum?: unknown };
  return { type: 'string', enum: texts, ...rest };
}

/** The texts that a schema chooses from, when it does nothing else. */
function textChoices(schema: TSchema): readonly string[] | undefined {
  const { anyOf, enum: values } = schema as { readonly anyOf?: readonly object[]; readonly enum?: readonly unknown[] };
  const choices = values ?? anyOf?.map((choice) => ('const' in choice ? choice.const : undefined));
  return choices?.every((choice) => typeof choice === 'string') === true ? choices : undefined;
}

export function descriptionOf(schema: TSchema): string | undefined {
  return (schema as { readonly description?: string }).description;
}
