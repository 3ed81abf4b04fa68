import { type TSchema, Type } from '../type.ts';

/** An object of a section: these members, and no other. */
export const record = <P extends Record<string, TSchema>>(fields: P, description: string) =>
  Type.Object(fields, { additionalProperties: false, description });
