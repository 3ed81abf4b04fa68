import { nameOf } from '@meshwork/contract';

/** As much of JSON Schema as the contract uses, for code that reads schemas instead of checking values with them. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

/** The schema of a value that may be null, without the null. */
export function withoutNull(schema: Schema): { readonly schema: Schema; readonly nullable: boolean } {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  const [only, ...rest] = others ?? [];
  if (only === undefined || rest.length > 0 || others?.length === schema.anyOf?.length) {
    return { schema, nullable: false };
  }
  // The description of this field wins over the description of its type.
  const { description } = schema;
  return { schema: description === undefined ? only : { ...only, description }, nullable: true };
}

/** The schema of the items, when it is that of a list. */
export function itemOf(schema: Schema | undefined): Schema | undefined {
  const items = schema?.properties?.items;
  return items?.type === 'array' ? items.items : undefined;
}

/** Whether an object has a closed set of members, each of which can have a flag. */
export function hasMembers(schema: Schema): schema is Schema & Required<Pick<Schema, 'properties'>> {
  return schema.type === 'object' && schema.properties !== undefined && Object.keys(schema.properties).length > 0;
}

/** What a schema is called in the OpenAPI document. */
export function schemaName(schema: Schema | undefined): string | undefined {
  return schema === undefined ? undefined : nameOf(schema);
}
