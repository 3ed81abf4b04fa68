import type { Applied } from '@meshwork/contract';

/** How what is in effect differs from what should be, in words; null when it does not. */
export function differenceOf(
  desired: { readonly revision: number; readonly digest: string },
  observed: Applied | undefined,
): string | null {
  if (observed === undefined) return 'the node has not said what is in effect';
  if (observed.error !== undefined) return observed.error;
  // A coordinator that has just started knows no revision older than its start: what is the same is in order.
  if (observed.digest === desired.digest) return null;
  return observed.revision < desired.revision
    ? `revision ${observed.revision} is in effect, not ${desired.revision}`
    : 'what is in effect differs from what the node was sent';
}
