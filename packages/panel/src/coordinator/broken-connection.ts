/** The other end went away, in the ways that the system and the HTTP client tell of it. */
export function isBrokenConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** Empty: it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
