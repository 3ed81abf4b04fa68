import { type HttpOperation, takesIfMatch } from '../operation.ts';
import type { TObject, TSchema } from '../type.ts';
import { isRepeatable } from '../wire/wire-operation.ts';
import { descriptionOf, type SchemaWriter } from './schema.ts';

/** Headers of a request that several operations take. */
export const REQUEST_HEADERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the version that the change is meant for. The write is refused when another one is there. Absent, or `*`: whichever is there.',
    schema: { type: 'string', pattern: '^(\\*|"[0-9]{1,15}")$' },
    example: '"1184"',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of your own making, new for each new request: visible ASCII without spaces. When the same request comes again with it within a day, nothing is done twice and the first answer comes back.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '6f1c0c9a-55ad-4a8e-9f0b-3a3f0a7f6a11',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The `id` of the last event that was received; the stream goes on after it.',
    schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
    example: '42',
  },
} as const;

const header = (name: keyof typeof REQUEST_HEADERS) => ({ $ref: `#/components/parameters/${name}` });

export function parametersOf(operation: HttpOperation, schemas: SchemaWriter): readonly object[] {
  return [
    ...fields('path', operation.params, operation.example.params, schemas),
    ...fields('query', operation.query, operation.example.query, schemas),
    ...(takesIfMatch(operation) ? [header('IfMatch')] : []),
    ...(isRepeatable(operation) ? [header('IdempotencyKey')] : []),
    ...(operation.answer.type === 'text/event-stream' ? [header('LastEventId')] : []),
  ];
}

function fields(
  place: 'path' | 'query',
  schema: TObject | undefined,
  example: Readonly<Record<string, string | number>> = {},
  schemas: SchemaWriter,
): readonly object[] {
  const required = new Set<string>(schema?.required);
  return Object.entries<TSchema>(schema?.properties ?? {}).map(([name, field]) => {
    const { description: _, ...written } = schemas.write(field);
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      description: descriptionOf(field),
      schema: written,
      ...(name in example ? { example: example[name] } : {}),
    };
  });
}

export function requestBodyOf(operation: HttpOperation, schemas: SchemaWriter): object | undefined {
  if (operation.body === undefined) return undefined;
  const content = { schema: schemas.write(operation.body), example: operation.example.body };
  const types = operation.text ?? ['application/json'];
  // No body at all counts as an empty one, so it is needed only where some field is.
  const { required = [] } = operation.body as { readonly required?: readonly string[] };
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, contentAs(type, content)])),
  };
}

/** What is not plain JSON is to be seen as text. */
function contentAs(type: string, content: { readonly schema: object; readonly example: unknown }): object {
  if (type === 'application/json') return content;
  return { schema: { type: 'string' }, example: JSON.stringify(content.example, undefined, 2) };
}
