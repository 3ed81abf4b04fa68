import { Worker } from 'node:worker_threads';
import type { makeRequest as madeBy } from '@meshwork/pki/request';

export type MadeRequest = Awaited<ReturnType<typeof madeBy>>;

/** Ours: it takes a quarter of a second, and on a small and busy machine many times that. */
const LIMIT_MS = 60_000;

/** In the sources a file beside this one; in the bundle, which is JavaScript, another one beside that. */
const SCRIPT = import.meta.url.endsWith('.ts')
  ? new URL('./request-thread.ts', import.meta.url)
  : new URL('./request-thread.js', import.meta.url);

/** A new private key and a request for a certificate of it. Nothing is left in memory of what made them. */
export async function makeRequest(script: URL = SCRIPT): Promise<MadeRequest> {
  const thread = new Worker(script);
  const { promise, resolve, reject } = Promise.withResolvers<MadeRequest>();
  thread.once('message', resolve);
  thread.once('error', reject);
  thread.once('exit', (code) => reject(new Error(`the thread ended (${code})`)));
  const timer = setTimeout(() => reject(new Error(`it took more than ${LIMIT_MS / 1000} s`)), LIMIT_MS);
  try {
    return await promise;
  } catch (error) {
    throw new Error(`no certificate request could be made: ${(error as Error).message}`, { cause: error });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
