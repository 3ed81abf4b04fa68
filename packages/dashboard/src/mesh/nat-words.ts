/** Kinds of NAT in words, and what each means for the paths of a node. */
import type { Node } from '@meshwork/contract';
import { NAT_MAPPINGS } from '@meshwork/contract/vocabulary';

/** Also those that are not known: older agents do not report it. */
export const NAT_KINDS = [...NAT_MAPPINGS, 'unknown'] as const;
type NatKind = (typeof NAT_KINDS)[number];

export const NAT_WORDS: Readonly<Record<NatKind, string>> = {
  none: 'No NAT',
  'endpoint-independent': 'Endpoint-independent',
  'address-dependent': 'Address-dependent',
  'udp-blocked': 'UDP blocked',
  unknown: 'Unknown',
};

export const NAT_MEANINGS: Readonly<Record<NatKind, string>> = {
  none: 'Peers reach it directly.',
  'endpoint-independent': 'All peers see it at one port, so most links become direct.',
  'address-dependent':
    'Each peer sees it at another port. Links become direct with peers that have no NAT, or one that lets in what it did not ask for; others stay relayed.',
  'udp-blocked': 'Its network lets no UDP through. All its links are relayed, over TCP or TLS.',
  unknown: 'Its agent has not reported it.',
};

export function natOf({ nat }: Pick<Node, 'nat'>): NatKind {
  return nat ?? 'unknown';
}
