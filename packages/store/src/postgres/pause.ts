/** Waits, and no longer than until the signal. */
export function pause(ms: number, until: AbortSignal): Promise<void> {
  if (until.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const interrupt = () => {
    clearTimeout(timer);
    resolve();
  };
  until.addEventListener('abort', interrupt, { once: true });
  return promise.finally(() => until.removeEventListener('abort', interrupt));
}

/** Resolves at the signal. */
export function signalled(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}
