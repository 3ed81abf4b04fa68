import { nthAddress, readNetwork } from '@meshwork/addresses';
import type { Underlay } from './fixed.ts';
import type { PlannedSite } from './site-plan.ts';

/** Where a node is: on the switch, or in a site. */
export interface Location {
  /** Null: on the switch. */
  readonly site: string | null;
  /** The port of the switch that leads to it: its own, or that of its router. */
  readonly port: string;
  /** Where the others see it: in a site, the address of the router outside. In a site without IPv4, its own IPv6 address. */
  readonly address: string;
  /** Null: it has no IPv6. */
  readonly address6: string | null;
  /** Its own IPv4 address in its site. Null: it is on the switch, or has IPv6 alone. */
  readonly inner_address: string | null;
}

const FIRST_NODE = 10;

/** Follows from the place of a node among all others alone, so that it has an address wherever it moves. */
export function locate(index: number, site: PlannedSite | null, underlay: Underlay): Location {
  const number = FIRST_NODE + index;
  if (site === null) {
    return {
      site: null,
      port: `p${index + 1}`,
      address: nthAddress(readNetwork(underlay.network), number),
      address6: `${underlay.network6}${number.toString(16)}`,
      inner_address: null,
    };
  }
  const { four, six } = site;
  const address6 = six === null ? null : `${six.lan}${number.toString(16)}`;
  const inner_address = four === null ? null : nthAddress(readNetwork(four.lan), number);
  return { site: site.name, port: site.port, address: four?.seen_at ?? address6 ?? '', address6, inner_address };
}

/** Of a node's interface on the switch, or of the router of its own. Made up, as its second bit says. */
export function nodeMac(index: number): string {
  return `02:4d:45:53:${hex(index >> 8)}:${hex(index & 0xff)}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
