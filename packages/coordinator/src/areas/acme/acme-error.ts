/** What is wrong, in the types that ACME has for it (RFC 8555, 6.7). */
import { ERRORS, type MeshError } from '@meshwork/contract';
import { asMeshError } from '@meshwork/service';

/** With the HTTP status of each. */
const STATUS = {
  accountDoesNotExist: 400,
  alreadyReplaced: 409,
  alreadyRevoked: 400,
  badCSR: 400,
  badNonce: 400,
  badPublicKey: 400,
  badRevocationReason: 400,
  badSignatureAlgorithm: 400,
  connection: 400,
  externalAccountRequired: 403,
  incorrectResponse: 403,
  invalidContact: 400,
  malformed: 400,
  orderNotReady: 403,
  rateLimited: 429,
  rejectedIdentifier: 400,
  serverInternal: 500,
  tls: 400,
  unauthorized: 403,
  unsupportedContact: 400,
  unsupportedIdentifier: 400,
} as const;

export type AcmeErrorType = keyof typeof STATUS;

/** What is wrong with one name of several. */
export interface Subproblem {
  readonly type: AcmeErrorType;
  readonly detail: string;
  readonly name: string;
}

interface Options {
  readonly status?: number;
  readonly subproblems?: readonly Subproblem[];
  readonly retry_after_s?: number | undefined;
  /** Members and headers of this error alone. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: readonly string[];
}

export class AcmeError extends Error {
  readonly type: AcmeErrorType;
  readonly status: number;
  readonly options: Options;

  constructor(type: AcmeErrorType, detail: string, options: Options = {}) {
    super(detail);
    this.type = type;
    this.status = options.status ?? STATUS[type];
    this.options = options;
  }
}

/** An id that is not the caller's is not there for it. */
export function notFound(what: string): AcmeError {
  return new AcmeError('malformed', `There is no such ${what}.`, { status: 404 });
}

export function malformed(detail: string): AcmeError {
  return new AcmeError('malformed', detail);
}

/** Errors of ours as ACME has them. `bug`: it has to be logged in full. */
export function asAcmeError(error: unknown): { readonly known: AcmeError; readonly bug: boolean } {
  if (error instanceof AcmeError) return { known: error, bug: false };
  const { known, bug } = asMeshError(error);
  return { known: translated(known), bug };
}

function translated(error: MeshError): AcmeError {
  const { status } = ERRORS[error.code];
  const { message, retry_after_s } = error;
  if (error.code === 'certificate_refused') return new AcmeError('badCSR', message);
  if (status === 429) return new AcmeError('rateLimited', message, { retry_after_s });
  if (status >= 500) return new AcmeError('serverInternal', message, { status, retry_after_s });
  // A token that does not work any more, or may not: the account has lost its right.
  if (status === 401 || status === 403) return new AcmeError('unauthorized', message);
  return new AcmeError('malformed', message, { status });
}

const URN = 'urn:ietf:params:acme:error:';

export function typeOf(type: AcmeErrorType): string {
  return `${URN}${type}`;
}

export function problemText(error: AcmeError): string {
  const { subproblems, members = {} } = error.options;
  const below = subproblems?.map(({ type, detail, name }) => ({
    type: typeOf(type),
    detail,
    identifier: { type: 'dns', value: name },
  }));
  const { status, message: detail } = error;
  return JSON.stringify({
    type: typeOf(error.type),
    detail,
    status,
    ...members,
    ...(below === undefined ? {} : { subproblems: below }),
  });
}
