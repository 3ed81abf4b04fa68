/** Whether the person closed the browser's own dialog, which is no error worth showing. */
export function wasGivenUp(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}
