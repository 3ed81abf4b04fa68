/** What is around a node, as far as the coordinator and the host know it: who may be asked, and by which family. */
import {
  addressOfEndpoint,
  anyContains,
  familyOf,
  isUsableEndpoint,
  kindOfAddress,
  type Network,
  readNetwork,
} from '@meshwork/addresses';
import { ownAddresses } from '../../host/own-addresses.ts';
import { usableAddresses } from '../../host/usable-addresses.ts';
import { stunPorts } from '../../stun/stun-ports.ts';
import type { Place } from '../../stun/xor-address.ts';
import type { HeldView } from '../../view/held-view.ts';

/** Undefined: the coordinator has sent nothing yet. */
type View = HeldView | undefined;

/** Ours: two say what kind of NAT there is, and one of them may be away. */
const MAX_ASKED = 3;

/** Where a peer may be, outside of the mesh. */
export function endpointsOf(view: View, peer: string): readonly string[] {
  return (view?.peers.get(peer)?.endpoints ?? []).filter((endpoint) => isOutside(view, endpoint));
}

/** What goes to an address of the mesh would go through the tunnel that it is to carry, or to a stranger. */
export function isOutside(view: View, endpoint: string): boolean {
  return isUsableEndpoint(endpoint) && !anyContains(meshNetworks(view), addressOfEndpoint(endpoint) ?? '');
}

/** Every relay answers STUN. Its own first: what keeps the port open at the NAT is then sent where packets go anyway. */
export async function stunServers(view: View, own: ReadonlySet<string>): Promise<readonly Place[]> {
  const all = (view?.sections.relays ?? []).toSorted((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)));
  const families = familiesOf(view);
  const found = await Promise.all(
    all.slice(0, MAX_ASKED).map(async (relay) => {
      const { usable } = await usableAddresses(relay).catch(() => ({ usable: [] })); // another one answers
      return usable.map((address) => ({ address, port: relay.port }));
    }),
  );
  return found.flat().filter(({ address }) => families.has(familyOf(address)));
}

/** Further ports of relays that answer STUN, those of each relay after those of another. */
export async function spareStunServers(view: View): Promise<readonly Place[]> {
  const found = await Promise.all(
    (view?.sections.relays ?? []).slice(0, MAX_ASKED).map(async (relay) => {
      const { usable } = await usableAddresses(relay).catch(() => ({ usable: [] })); // it is one of several
      return stunPorts(relay).flatMap((port) => usable.map((address) => ({ address, port })));
    }),
  );
  return found.flat().toSorted((a, b) => a.port - b.port);
}

/** Of the addresses that this host can send from, outside of the mesh. */
export function familiesOf(view: View): ReadonlySet<number> {
  const mesh = meshNetworks(view);
  const outside = ownAddresses().filter((one) => kindOfAddress(one) !== 'unusable' && !anyContains(mesh, one));
  return new Set(outside.map(familyOf));
}

function meshNetworks(view: View): readonly Network[] {
  return (view?.sections.self?.networks ?? []).map(readNetwork);
}
