import { newIdentityKey } from '../src/identity/keys.ts';
import type { EnrolledIdentity } from '../src/identity/saved-identity.ts';

/** Of a node whose coordinator is gone. */
export function enrolledIdentity(): EnrolledIdentity {
  return {
    version: 1,
    coordinators: ['http://127.0.0.1:1'],
    trust: { kind: 'system', insecure_http: false },
    private_key: newIdentityKey().private,
    idempotency_key: 'once',
    wish: { name: 'git-1', tags: [], services: [], routes: [] },
    enrolled: { node: 'node_01jcqv5s3ee3xv9k7d0w8m2b4n', name: 'git-1', interval_s: 15 },
  };
}
