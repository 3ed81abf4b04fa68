import type { AppliedSection } from '@meshwork/contract';
import type { NodeFirewall } from '../engines/firewall/node-firewall.ts';
import type { HostNames } from '../engines/names/host-names.ts';
import type { MeshNetwork } from '../engines/network/mesh-network.ts';
import type { Tunnel } from '../engines/wireguard/tunnel.ts';

/** What the data plane of a node is made of. Relays and gateways get theirs beside these. */
export interface Engines {
  readonly tunnel: Tunnel;
  readonly network: MeshNetwork;
  readonly firewall: NodeFirewall;
  readonly names: HostNames;
}

export type EngineName = keyof Engines;

/** The sections that are applied anew when somebody has changed an engine. The first is the one that the change is told of. */
export const SECTIONS_OF: Readonly<Record<EngineName, readonly [AppliedSection, ...AppliedSection[]]>> = {
  firewall: ['firewall', 'acl'],
  tunnel: ['peers', 'self', 'acl'],
  network: ['self', 'acl'],
  names: ['peers'],
};
/** The packet filter first: nothing may pass while the rest is put right. */
export const ENGINE_NAMES = Object.keys(SECTIONS_OF) as readonly EngineName[];
