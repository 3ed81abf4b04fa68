import type * as TypeBox from 'typebox';

export type { Static, TInteger, TObject, TOptional, TSchema } from 'typebox';

/** The part of TypeBox that the contract uses. */
type Words = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

type Schema = Readonly<Record<string, unknown>>;

const KIND = '~kind';
const OPTIONAL = '~optional';

/**
 * Makes JSON Schema with the types of TypeBox, and without TypeBox: that is 20 MB and a tenth of a second, which an
 * agent and a command line that only use this contract do not need. Where requests are checked, TypeBox compiles what is
 * made here. Its marks stand on a schema as it would set them itself, so that both can be mixed; `type.test.ts` holds the
 * one to the other, and that is what the types rest on.
 */
export const Type = {
  Array: (items: Schema, options?: Schema) => made('Array', { type: 'array', items }, options),
  Boolean: (options?: Schema) => made('Boolean', { type: 'boolean' }, options),
  Enum: (values: readonly unknown[], options?: Schema) => made('Enum', { enum: values }, options),
  Integer: (options?: Schema) => made('Integer', { type: 'integer' }, options),
  Literal: (value: unknown, options?: Schema) => made('Literal', { type: typeof value, const: value }, options),
  Null: (options?: Schema) => made('Null', { type: 'null' }, options),
  Number: (options?: Schema) => made('Number', { type: 'number' }, options),
  Object: object,
  Optional: optional,
  Partial: ({ properties }: { readonly properties: Readonly<Record<string, Schema>> }, options?: Schema) =>
    object(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)])), options),
  Record: ({ pattern = '^.*$' }: { readonly pattern?: string }, value: Schema, options?: Schema) =>
    made('Record', { type: 'object', patternProperties: { [pattern]: value } }, options),
  String: (options?: Schema) => made('String', { type: 'string' }, options),
  Union: (anyOf: readonly Schema[], options?: Schema) => made('Union', { anyOf }, options),
  Unknown: (options?: Schema) => made('Unknown', {}, options),
  Unsafe: (schema: Schema) => marked(schema, '~unsafe', null),
} as unknown as Words;

function object(properties: Readonly<Record<string, Schema>>, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => properties[name]?.[OPTIONAL] === undefined);
  return made('Object', { type: 'object', ...(required.length === 0 ? {} : { required }), properties }, options);
}

function optional(schema: Schema): Schema {
  return marked(schema, OPTIONAL, true);
}

function made(kind: string, keywords: Schema, options: Schema = {}): Schema {
  return marked({ ...keywords, ...options }, KIND, kind);
}

/** A copy with one more mark, beside those it has: they belong to the schema, and are not written out with it. */
function marked(schema: Schema, mark: string, value: unknown): Schema {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as Schema;
  return Object.defineProperty(copy, mark, { value, configurable: true, writable: true, enumerable: false });
}
