import { MeshError } from '@meshwork/contract';

/** Refuses a write that was meant for another version of what is there. */
export function ensureMatches(stored: { readonly revision: number }, if_match: number | undefined): void {
  if (if_match === undefined || if_match === stored.revision) return;
  throw new MeshError(
    'revision_mismatch',
    `If-Match names revision ${if_match}, but the resource is at ${stored.revision}. Read it again, then decide.`,
  );
}
