import type { PolicyDocument } from '@meshwork/policy';

/** Places of the grants that have expired. */
export function lapsedGrants({ grants }: PolicyDocument, now_ms: number): number[] {
  return grants.flatMap(({ expires }, place) =>
    expires !== undefined && Date.parse(expires) <= now_ms ? [place] : [],
  );
}
