import type { TSchema } from './type.ts';

/** Hidden on the schema itself, because such properties are copied when it is wrapped: `Optional(Scope)` is a new object. */
const NAME = Symbol('name in the OpenAPI document');
const taken = new Set<string>();

/** Gives a schema the name it has in the OpenAPI document, where it then stands once, under components. */
export function named<S extends TSchema>(name: string, schema: S): S {
  if (taken.has(name)) throw new Error(`two schemas are named ${name}`);
  taken.add(name);
  Object.defineProperty(schema, NAME, { value: name });
  return schema;
}

export function nameOf(schema: object): string | undefined {
  return (schema as { readonly [NAME]?: string })[NAME];
}
