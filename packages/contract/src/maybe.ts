import { type TSchema, Type } from './type.ts';

/** The value, or null; what null means is said in the description. */
export function maybe<S extends TSchema>(schema: S, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}
