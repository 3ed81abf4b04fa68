import { ERRORS, type ErrorCode, MeshError, type Problem, problemType } from '@meshwork/contract';
import { NotRouted } from './not-routed.ts';
import { RateLimited } from './rate-limit.ts';
import { storeFailure } from './store-failure.ts';

/** Errors of Fastify and Node as ours. Any other error is a bug, and answers 500. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
};

const FRAMEWORK_DETAILS: Partial<Record<ErrorCode, string>> = {
  body_too_large: 'The body is larger than this operation takes.',
  unsupported_media_type: 'Send the body as "Content-Type: application/json".',
  malformed_json: 'The body cannot be read as JSON.',
  malformed_request: 'The request cannot be read.',
};

/** Any error as one of ours. The second value says whether it is a bug that must be logged in full. */
export function asMeshError(error: unknown): { readonly known: MeshError; readonly bug: boolean } {
  if (error instanceof MeshError) return { known: error, bug: false };
  const failure = storeFailure(error);
  if (failure !== undefined) return { known: failure, bug: false };
  const code = frameworkCode(error);
  if (code !== undefined)
    return { known: new MeshError(code, FRAMEWORK_DETAILS[code] ?? '', { cause: error }), bug: false };
  return {
    known: new MeshError('internal', 'The service failed; its log has the details under this request id.'),
    bug: true,
  };
}

function frameworkCode(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error)) return undefined;
  const known = 'code' in error && typeof error.code === 'string' ? FRAMEWORK_ERRORS[error.code] : undefined;
  if (known !== undefined) return known;
  // The JSON parser throws a plain SyntaxError for keys that could poison a prototype.
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) return 'malformed_json';
  // A truncated body, a wrong length, and whatever else the framework blames on the client.
  if ('code' in error && error.code === 'ECONNRESET') return 'malformed_request';
  const { statusCode } = error as { statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500 ? 'malformed_request' : undefined;
}

export function problemOf(error: MeshError, request_id: string): Problem {
  const { status, title, retryable } = ERRORS[error.code];
  return {
    type: problemType(error.code),
    title,
    status,
    detail: error.message,
    code: error.code,
    retryable,
    request_id,
    ...(error.errors === undefined ? {} : { errors: [...error.errors] }),
  };
}

/** Names and values in turn. */
export function problemHeaders(error: MeshError): string[] {
  const headers = ['content-type', 'application/problem+json'];
  if (ERRORS[error.code].status === 401) headers.push('www-authenticate', 'Bearer realm="mesh"');
  if (error instanceof RateLimited) headers.push(...error.headers);
  if (error instanceof NotRouted && error.allowed !== '') headers.push('allow', error.allowed);
  if (error.retry_after_s !== undefined) headers.push('retry-after', String(error.retry_after_s));
  return headers;
}
