import { ERRORS, type ErrorCode } from '../error-table.ts';
import { Problem } from '../errors.ts';
import type { HttpOperation } from '../operation.ts';
import type { SchemaWriter } from './schema.ts';

/** Headers of an answer. */
export const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'Names this request in logs and in the audit trail.',
    schema: { type: 'string' },
    example: 'req_k3v9x0-1f',
  },
  ETag: {
    description: 'The version of the resource; give it as `If-Match` with a write.',
    schema: { type: 'string' },
    example: '"1184"',
  },
  Location: {
    description: 'Where the new resource is; of a redirect, where to go on.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/auth/tokens/token_01jcqv5s3ee3xv9k7d0w8m2b4n',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try. Absent: not known, so try with growing pauses.',
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  RateLimit: {
    description: 'What is left of the limit, and in how many seconds there is more.',
    schema: { type: 'string' },
    example: '"caller";r=0;t=1',
  },
  'RateLimit-Policy': {
    description: 'The limit: so many requests within so many seconds.',
    schema: { type: 'string' },
    example: '"caller";q=400;w=4',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer realm="mesh"',
  },
} as const;

type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** `codes`: every error that it can answer with. */
export function responsesOf(operation: HttpOperation, codes: readonly ErrorCode[], schemas: SchemaWriter): object {
  const { answer } = operation;
  const responses: Record<number, object> = { [answer.status]: successOf(operation, schemas) };
  for (const [status, ofStatus] of byStatus(codes)) {
    responses[status] = problemOf(status, ofStatus, schemas);
  }
  const { otherwise } = answer;
  if (otherwise !== undefined) {
    responses[otherwise.status] = alsoAnswering(responses[otherwise.status], operation, schemas);
  }
  return responses;
}

function successOf({ answer, versioned, example }: HttpOperation, schemas: SchemaWriter): object {
  const headers: AnswerHeader[] = ['X-Request-Id'];
  if (versioned === true && answer.schema !== undefined) headers.push('ETag');
  if (answer.status === 201 || answer.status === 302) headers.push('Location');
  const content: Record<string, object> = {};
  if (answer.schema !== undefined) {
    content[answer.type ?? 'application/json'] =
      answer.binary === true
        ? { schema: { type: 'string', format: 'binary' }, example: '(bytes)' }
        : { schema: schemas.write(answer.schema), example: example.answer };
  }
  for (const { type, description } of answer.also ?? []) {
    content[type] = { schema: { type: 'string', description }, example: exampleAs(type, example.answer) };
  }
  return {
    description: answer.description,
    headers: referTo(headers),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/** What the JSON of an answer looks like in its other form: a line for each item, or the text it was read from. */
function exampleAs(type: string, answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const { items, text } = answer as { readonly items?: readonly unknown[]; readonly text?: unknown };
  if (items !== undefined) return items.map((item) => `${JSON.stringify(item)}\n`).join('');
  if (typeof text === 'string') return text;
  throw new Error(`nothing says what ${type} looks like`);
}

/** The codes of one status. The order of ERRORS, which goes by status, is the order of the document. */
function byStatus(codes: readonly ErrorCode[]): ReadonlyMap<number, readonly ErrorCode[]> {
  const inOrder = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.includes(code));
  return Map.groupBy(inOrder, (code) => ERRORS[code].status);
}

function problemOf(status: number, codes: readonly ErrorCode[], schemas: SchemaWriter): ProblemResponse {
  const headers: AnswerHeader[] = ['X-Request-Id'];
  if (status === 401) headers.push('WWW-Authenticate');
  if (status === 429 || status === 503) headers.push('Retry-After');
  if (status === 429) headers.push('RateLimit', 'RateLimit-Policy');
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERRORS[code].title}.`).join('\n'),
    headers: referTo(headers),
    content: {
      'application/problem+json': {
        schema: schemas.write(Problem),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

interface ProblemResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Readonly<Record<string, object>>;
}

/** Beside the problems of that status, the operation's own body. */
function alsoAnswering(problem: object | undefined, { answer }: HttpOperation, schemas: SchemaWriter): object {
  const { description, headers, content } = problem as ProblemResponse;
  const { otherwise, schema, type = 'application/json' } = answer;
  if (otherwise === undefined || schema === undefined) return { description, headers, content };
  return {
    description: `${otherwise.description}\n\n${description}`,
    headers,
    content: { [type]: { schema: schemas.write(schema), example: otherwise.example }, ...content },
  };
}

function referTo(headers: readonly AnswerHeader[]): object {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
