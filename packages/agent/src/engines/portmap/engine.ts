/**
 * A port of the router that leads to WireGuard, where the operator allows to ask for one: the section `self` says so.
 *
 *   port-mapping.ts  keeps one mapping alive            saved-mapping.ts    what of it outlives the agent
 *   gateway.ts       which router is asked              announcements.ts    hears a router that started again
 *   pcp.ts           RFC 6887                           gateway-epoch.ts    whether it has lost its mappings
 *   nat-pmp.ts       RFC 6886                           ask-gateway.ts      UDP with it, for both
 *   upnp-igd.ts      UPnP, by ssdp.ts (where the router describes itself), upnp-call.ts (HTTP with it) and small-xml.ts
 *   mapping-protocol.ts  what the three have in common
 *
 * All that a router says is untrusted: see docs/decisions/0066-port-mapping.md.
 */
import type { AppliedSection } from '@meshwork/contract';
import type { NetlinkProtocol } from '../../host/netlink-child.ts';
import type { PeerPlaces } from '../../host/peer-places.ts';
import { runCommand } from '../../host/run-command.ts';
import { wayOutEvents } from '../../host/way-out-events.ts';
import type { Engine, EngineTraits, Heard, OpenEngine, PlanInput, Work } from '../engine.ts';
import { findGateway } from './gateway.ts';
import type { MappingProtocol } from './mapping-protocol.ts';
import { natPmp } from './nat-pmp.ts';
import { pcp } from './pcp.ts';
import { PortMapping } from './port-mapping.ts';
import { forgetMapping } from './saved-mapping.ts';
import { upnpIgd } from './upnp-igd.ts';

const TRAITS: EngineTraits = {
  name: 'portmap',
  sections: ['self'],
  on_drift: ['self'],
  parts: [], // it changes nothing of how the node reaches its coordinator
};
const PROTOCOLS: readonly MappingProtocol[] = [pcp, natPmp, upnpIgd];

export const portmap: Engine = {
  ...TRAITS,
  lacks: async () => [],
  open: async ({ folder, port, log, places, forwarded }) =>
    new PortMappingEngine(openMapping({ folder, port, log, changed: forwarded }), places),
  remove: async (folder) => {
    await openMapping({ folder, port: 0, log: { info: () => undefined }, changed: () => undefined }).end();
    await forgetMapping(folder);
  },
};

type Given = Omit<ConstructorParameters<typeof PortMapping>[0], 'protocols' | 'gateway'>;

function openMapping(given: Given): PortMapping {
  return new PortMapping({ ...given, protocols: PROTOCOLS, gateway: () => findGateway(runCommand) });
}

class PortMappingEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #mapping: PortMapping;
  readonly #places: Pick<PeerPlaces, 'own'>;
  /** What is in effect. Undefined: not known. */
  #isAllowed: boolean | undefined;

  constructor(mapping: PortMapping, places: Pick<PeerPlaces, 'own'>) {
    [this.#mapping, this.#places] = [mapping, places];
  }

  async versions(): Promise<Readonly<Record<string, string>>> {
    return {};
  }

  /** That it is tried is in effect. What the router answers is its own affair. */
  plan(_section: AppliedSection, { view }: PlanInput): Work | undefined {
    const isAllowed = view.sections.self?.port_mapping === true;
    if (isAllowed === this.#isAllowed) return undefined;
    return async () => {
      this.#isAllowed = isAllowed;
      this.#mapping.allow(isAllowed);
      return {};
    };
  }

  distrust(): void {
    this.#isAllowed = undefined;
  }

  async drift(): Promise<string | null> {
    return null;
  }

  announced(protocol: NetlinkProtocol, datagram: Buffer | null): readonly Heard[] {
    if (protocol === 'route' && (datagram === null || concernsGateway(datagram))) this.#mapping.networkChanged();
    return [];
  }

  async left(): Promise<void> {
    await this.#mapping.end();
  }

  /** `reported`: whether peers are sent the endpoint: see `endpoints/candidates.ts`. */
  async diagnose(): Promise<Readonly<Record<string, unknown>>> {
    const { state } = this.#mapping;
    return {
      port_mapping: { ...state, reported: state.endpoint !== null && this.#places.own.includes(state.endpoint) },
    };
  }
}

function concernsGateway(datagram: Buffer): boolean {
  return wayOutEvents(datagram).some(({ family }) => family === 4);
}
