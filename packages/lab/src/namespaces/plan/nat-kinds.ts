/**
 * How the router of a site translates UDP, in the words of RFC 4787, section 4 and 5. The first four are the classic kinds;
 * the others are what nftables does on a Linux router, by the words of its rule.
 *
 * A mapping is the port outside that stands for an address and port inside. It depends on nothing else
 * (endpoint-independent), or also on where a packet goes. Filtering is which packets from outside pass to a mapping: all, those
 * from addresses, or those from addresses and ports that the inside has sent to.
 */
type Dependence = 'endpoint-independent' | 'address-dependent' | 'address-and-port-dependent';

interface NatBehaviour {
  readonly mapping: Dependence;
  readonly filtering: Dependence;
  /** Whether the port outside is the one inside, as long as no other inside has it. */
  readonly keeps_port: boolean;
}

const STRICT = 'address-and-port-dependent';

export const NAT_BEHAVIOURS = {
  'full-cone': { mapping: 'endpoint-independent', filtering: 'endpoint-independent', keeps_port: true },
  'address-restricted': { mapping: 'endpoint-independent', filtering: 'address-dependent', keeps_port: true },
  'port-restricted': { mapping: 'endpoint-independent', filtering: STRICT, keeps_port: true },
  /** Its ports count up, so the next one can be guessed. */
  symmetric: { mapping: STRICT, filtering: STRICT, keeps_port: false },
  masquerade: { mapping: 'endpoint-independent', filtering: STRICT, keeps_port: true },
  'masquerade-random': { mapping: STRICT, filtering: STRICT, keeps_port: false },
  'masquerade-fully-random': { mapping: STRICT, filtering: STRICT, keeps_port: false },
} as const satisfies Record<string, NatBehaviour>;

export type NatKind = keyof typeof NAT_BEHAVIOURS;

export const NAT_KINDS = Object.keys(NAT_BEHAVIOURS) as NatKind[];

/** Routers that remember each mapping themselves, and can so translate between two nodes inside. */
export function remembersMappings(kind: NatKind): boolean {
  return kind === 'full-cone' || kind === 'address-restricted' || kind === 'port-restricted';
}
