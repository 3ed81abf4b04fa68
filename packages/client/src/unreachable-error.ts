/** Why no answer came, in words, and whether trying again soon makes sense. */
const REASONS = {
  refused: { words: 'the connection was refused; nothing listens there', passing: true },
  name_not_found: { words: 'the name could not be found', passing: false },
  name_lookup: { words: 'the name could not be looked up just now', passing: true },
  tls: { words: 'the TLS connection could not be made', passing: false },
  timeout: { words: 'no answer came in time', passing: false },
  broken: { words: 'the connection broke before the whole answer had come', passing: true },
  network: { words: 'the network gives no way there just now', passing: true },
  not_http: { words: 'what answers there does not speak HTTP as expected', passing: false },
  other: { words: 'the request could not be sent', passing: false },
} as const;

export type UnreachableReason = keyof typeof REASONS;

/** No answer, or only a part of one. Whether the request took effect is not known, except after `refused`. */
export class UnreachableError extends Error {
  /** Scheme, host and port. */
  readonly address: string;
  readonly reason: UnreachableReason;
  /** Whether it may work in a moment: a restart is under way, a packet got lost. */
  readonly passing: boolean;

  constructor(address: string, reason: UnreachableReason, options: { detail?: string; cause?: unknown } = {}) {
    const words = options.detail === undefined ? REASONS[reason].words : `${REASONS[reason].words} (${options.detail})`;
    super(`cannot reach ${address}: ${words}`, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'UnreachableError';
    this.address = address;
    this.reason = reason;
    this.passing = REASONS[reason].passing;
  }
}

const REASON_OF_CODE: Readonly<Record<string, UnreachableReason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_lookup',
  ENETUNREACH: 'network',
  EHOSTUNREACH: 'network',
  ENETDOWN: 'network',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'broken',
  EPIPE: 'broken',
  UND_ERR_SOCKET: 'broken',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'broken',
  EPROTO: 'tls',
};
/** OpenSSL has no list of its own in the platform; these are how its verdicts on a certificate begin or end. */
const TLS_CODE = /^ERR_(SSL|TLS)_|CERT|SIGNATURE|^UNABLE_TO_|SELF_SIGNED|^HOSTNAME_MISMATCH/;

/** What `fetch` rejects with says nothing itself; the reason is in its cause, sometimes one level further down. */
export function unreachable(address: string, failure: unknown): UnreachableError {
  for (let error = failure; error instanceof Error; error = error.cause) {
    if (error.name === 'HTTPParserError') return new UnreachableError(address, 'not_http', { cause: failure });
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    if (code === undefined) continue;
    const known = REASON_OF_CODE[code];
    if (known === 'tls' || (known === undefined && TLS_CODE.test(code))) {
      return new UnreachableError(address, 'tls', { detail: code, cause: failure });
    }
    if (known !== undefined) return new UnreachableError(address, known, { cause: failure });
  }
  // Only what lies beneath: the failure itself may be about a header, and repeat it.
  const beneath = failure instanceof Error && failure.cause instanceof Error ? failure.cause.message : undefined;
  return new UnreachableError(address, 'other', {
    cause: failure,
    ...(beneath === undefined ? {} : { detail: beneath }),
  });
}
