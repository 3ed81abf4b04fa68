import { randomBytes } from 'node:crypto';

/** Ids that no other process and no other request has: a random start for the process, then a count. */
export function requestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `req_${start}-${(++count).toString(36)}`;
}
