/** Revocation lists as the section `trust` brings them: whose they are, and until when they are good. */
import { headOfList, issuerOf } from '@meshwork/pki/list-dates';
import { pemBlocks } from '@meshwork/pki/text';

/** By name, in DER as hexadecimal: those that signed the certificates of a chain. */
export function authoritiesOf(chain: string): readonly string[] {
  return pemBlocks('CERTIFICATE', chain).map(issuerOf);
}

const known = new Map<string, ReadonlyMap<string, number>>();

/** Until when the list of each authority is good. Lists are large, and asked about with each heartbeat. */
export function endsOfLists(lists: string): ReadonlyMap<string, number> {
  const before = known.get(lists);
  if (before !== undefined) return before;
  const ends = new Map<string, number>();
  for (const pem of pemBlocks('X509 CRL', lists)) {
    const { issuer, next_ms } = headOfList(pem);
    ends.set(issuer, Math.max(ends.get(issuer) ?? 0, next_ms ?? Number.POSITIVE_INFINITY));
  }
  known.clear();
  known.set(lists, ends);
  return ends;
}
