import type { makeRequest as madeBy } from '@meshwork/pki/request';
import { madeOnThread } from './x509-thread.ts';

export type MadeRequest = Awaited<ReturnType<typeof madeBy>>;

/** A new private key and a request for a certificate of it. `script` is for tests. */
export function makeRequest(script?: URL): Promise<MadeRequest> {
  return madeOnThread('certificate request', undefined, script);
}
