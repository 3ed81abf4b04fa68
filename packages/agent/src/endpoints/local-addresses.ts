import type { networkInterfaces } from 'node:os';
import { anyContains, familyOf, kindOfAddress, type Network, plainAddress } from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';

export type Interfaces = ReturnType<typeof networkInterfaces>;

export interface LocalAddress {
  readonly address: string;
  readonly kind: 'global' | 'private';
  /** Of a bridge or tunnel that ends on this host: reached from its own containers, seldom from anywhere else. */
  readonly inner: boolean;
}

/** Ours: an interface may hold a dozen IPv6 addresses that are about to be replaced; a few of them will do. */
const MAX_SIX_PER_INTERFACE = 3;

/**
 * By name, for there is no other sign that a host of any kind shows. A bridge called `br0` or `vmbr0` is the
 * host's own way to the world; those that programs make for their guests have telling names.
 */
const INNER_INTERFACE =
  /^(?:docker|br-|veth|virbr|vnet|vmnet|vboxnet|cni|cali|flannel|cilium|kube|nodelocaldns|lxc|lxdbr|incusbr|podman|tun|tap|wg|tailscale|zt|ipvlan|dummy)/;

/** Addresses of the host that a peer may be able to send to. The same addresses always come in the same order. */
export function localAddresses(interfaces: Interfaces, mesh: readonly Network[]): readonly LocalAddress[] {
  const names = Object.keys(interfaces).sort();
  return names.filter((name) => name !== MESH_INTERFACE).flatMap((name) => addressesOf(name, interfaces, mesh));
}

function addressesOf(name: string, interfaces: Interfaces, mesh: readonly Network[]): readonly LocalAddress[] {
  const found: LocalAddress[] = [];
  for (const { address: text, internal } of interfaces[name] ?? []) {
    const address = plainAddress(text);
    if (internal || address === null || anyContains(mesh, address)) continue;
    const kind = kindOfAddress(address);
    if (kind !== 'unusable') found.push({ address, kind, inner: INNER_INTERFACE.test(name) });
  }
  // The kernel's own order follows when each was set, and so changes by itself. In this one, global IPv6 addresses (2…, 3…)
  // stand before private ones (f…) and are the last to fall to the limit.
  found.sort((a, b) => (a.address < b.address ? -1 : 1));
  const six = found.filter(({ address }) => familyOf(address) === 6);
  const tooMany = new Set(six.slice(MAX_SIX_PER_INTERFACE));
  return found.filter((one) => !tooMany.has(one));
}
