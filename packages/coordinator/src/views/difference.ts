import type { Applied } from '@meshwork/contract';

/** What of a section should be in effect on a node. */
export interface Desired {
  /** The one that last changed it, as far as this coordinator knows. */
  readonly revision: number;
  readonly digest: string;
  /** Whether that was since this coordinator knows the node. If not, it may have been earlier. */
  readonly changed: boolean;
}

/**
 * How what is in effect differs from what should be, in words; null when it does not.
 *
 * A report proves only the revision that it was made at. When a section became something else and then what it was before, the
 * node may have put the former into effect meanwhile: that it once reported the same content says nothing. Only of a section
 * that did not change since this coordinator knows the node, equal content is enough: its revision is not known then.
 */
export function differenceOf({ revision, digest, changed }: Desired, observed: Applied | undefined): string | null {
  if (observed === undefined) return 'the node has not said what is in effect';
  if (observed.error !== undefined) return observed.error;
  if (observed.digest === digest && (observed.revision >= revision || !changed)) return null;
  return observed.revision < revision
    ? `revision ${observed.revision} is in effect, not ${revision}`
    : 'what is in effect differs from what the node was sent';
}
