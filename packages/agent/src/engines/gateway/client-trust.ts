/**
 * What certificates of clients are checked against, and what is wrong with it. Revocation lists come with the section `trust`. While
 * one is missing or out of date nginx refuses every certificate of its authority: one that was revoked meanwhile would pass
 * otherwise.
 */
import type { IngressAssignment } from '@meshwork/contract';
import { authoritiesOf, endsOfLists } from '../../certificate-requests/revocation-lists.ts';
import { asksForCertificates } from './client-headers.ts';

export interface ClientTrust {
  /** Roots, in PEM. Undefined: not known yet. */
  readonly ca: string | undefined;
  /** Revocation lists of every authority, in PEM. Absent: not known, or none is needed. */
  readonly lists?: string | undefined;
}

/** Only where an ingress needs them: another list is no reason to load a configuration that has none. */
export function listsFor(
  section: readonly Pick<IngressAssignment, 'tls'>[],
  revocation_lists: readonly string[],
): string | undefined {
  if (revocation_lists.length === 0 || !section.some(asksForCertificates)) return undefined;
  return `${revocation_lists.map((list) => list.trim()).join('\n')}\n`;
}

/** Why an ingress that asks clients for certificates is not served, by its id. Without roots and lists nginx has nothing to check them by. */
export function unchecked(section: readonly IngressAssignment[], { ca, lists }: ClientTrust): Map<string, string> {
  if (ca !== undefined && lists !== undefined) return new Map();
  const what = ca === undefined ? 'the roots of the mesh are' : 'the revocation lists of the mesh are';
  const why = `it is not served over TLS: certificates of clients cannot be checked, ${what} not known yet`;
  return new Map(section.filter(asksForCertificates).map(({ id }) => [id, why]));
}

/**
 * Why certificates of clients are refused now, whatever they are, by id of the ingresses that ask for them. It goes by the
 * authorities that signed for the gateway itself: others, such as new ones that nothing is signed by yet, may lack a list.
 */
export function refusedByLists(
  section: readonly IngressAssignment[],
  { ca, lists }: ClientTrust,
  { now_ms, own_chain }: { readonly now_ms: number; readonly own_chain: string | undefined },
): Map<string, string> {
  const asking = section.filter(asksForCertificates);
  if (ca === undefined || lists === undefined || asking.length === 0) return new Map();
  const ends = endsOfLists(lists);
  return new Map(
    asking.flatMap(({ id, tls }) => {
      // These sign for clients too. Where another certificate is shown, those that signed for the node itself.
      const authorities = authoritiesOf(tls?.chain ?? own_chain ?? '');
      const why = whyRefused(authorities, ends, now_ms);
      return why === undefined ? [] : [[id, why] as const];
    }),
  );
}

function whyRefused(
  authorities: readonly string[],
  ends: ReadonlyMap<string, number>,
  now_ms: number,
): string | undefined {
  const refused = 'certificates of clients are refused: a revocation list of the mesh';
  if (authorities.some((authority) => !ends.has(authority))) return `${refused} is missing`;
  const first = Math.min(...authorities.map((authority) => ends.get(authority) ?? 0));
  if (authorities.length === 0 || first > now_ms) return undefined;
  return `${refused} is out of date since ${new Date(first).toISOString().replace('.000', '')}`;
}
