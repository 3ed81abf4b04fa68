/** Whether the peer closed the connection, by the errors of the system and of the HTTP client. */
export function isBrokenConnection(error: unknown): boolean {
  return ['UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** Empty: it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
