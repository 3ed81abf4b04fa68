import type { ErrorCode } from './error-table.ts';
import { named } from './named.ts';
import { type Static, Type } from './type.ts';

export const FieldError = Type.Object(
  {
    pointer: Type.String({ description: 'JSON pointer into the body, or `query/name`, `header/name`.' }),
    detail: Type.String({ description: 'What is wrong there.' }),
    line: Type.Optional(Type.Integer({ description: 'Of a text that people write: from 1.' })),
    column: Type.Optional(Type.Integer({ description: 'In characters, from 1.' })),
  },
  { additionalProperties: false },
);
export type FieldError = Static<typeof FieldError>;

/** RFC 9457. */
export const Problem = named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference', description: 'Where to read about this code.' }),
      title: Type.String({ description: 'What the code means, in words; always the same for one code.' }),
      status: Type.Integer({ description: 'The HTTP status.' }),
      detail: Type.String({ description: 'What was wrong this time, and what would be right.' }),
      code: Type.String({ description: 'What programs decide by.' }),
      retryable: Type.Boolean({ description: 'Whether the same request may succeed later, with nothing changed.' }),
      request_id: Type.String({ description: 'The `X-Request-Id` of the answer: name it when you ask for help.' }),
      errors: Type.Optional(Type.Array(FieldError, { description: 'Every fault that was found, one by one.' })),
    },
    { additionalProperties: false },
  ),
);
export type Problem = Static<typeof Problem>;

/** Where a person can read about a code. Relative on purpose: each coordinator serves its own reference page. */
export function problemType(code: ErrorCode): string {
  return `/docs#problem-${code}`;
}

interface MeshErrorOptions extends ErrorOptions {
  readonly errors?: readonly FieldError[];
  /** What really happened, when the answer must not say it (a 404 for what lies outside the scope). Audited, never sent. */
  readonly refused_as?: 'outside_scope';
  readonly retry_after_s?: number;
}

/** The one error that use cases throw. The edge turns it into a problem document. */
export class MeshError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly refused_as: 'outside_scope' | undefined;
  readonly retry_after_s: number | undefined;

  constructor(code: ErrorCode, detail: string, options: MeshErrorOptions = {}) {
    super(detail, options);
    this.name = 'MeshError';
    this.code = code;
    this.errors = options.errors;
    this.refused_as = options.refused_as;
    this.retry_after_s = options.retry_after_s;
  }
}

export function invalid(pointer: string, detail: string): MeshError {
  return new MeshError('invalid', `${pointer} ${detail}`, { errors: [{ pointer, detail }] });
}

/** For a request that gives a person the panel's own role. */
export function roleReserved(role: string): MeshError {
  return new MeshError('role_reserved', `The role "${role}" acts for others, so no person can have it.`, {
    errors: [{ pointer: '/role', detail: 'is not a role for people' }],
  });
}
