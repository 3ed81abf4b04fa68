import type { TSchema } from 'typebox';

/** Hidden on the schema itself, because TypeBox copies such properties when it wraps: `Optional(Scope)` is a new object. */
const NAME = Symbol('name in the OpenAPI document');
const byName = new Map<string, TSchema>();

/** Gives a schema the name it has in the OpenAPI document, where it then stands once, under components. */
export function named<S extends TSchema>(name: string, schema: S): S {
  if (byName.has(name)) throw new Error(`two schemas are named ${name}`);
  byName.set(name, schema);
  Object.defineProperty(schema, NAME, { value: name });
  return schema;
}

export function nameOf(schema: object): string | undefined {
  return (schema as { readonly [NAME]?: string })[NAME];
}

/** The schema as it was when it got its name. */
export function schemaNamed(name: string): TSchema {
  const schema = byName.get(name);
  if (schema === undefined) throw new Error(`no schema is named ${name}`);
  return schema;
}
