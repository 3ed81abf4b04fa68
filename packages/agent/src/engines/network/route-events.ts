/** What the kernel announces about links, addresses, routes and rules. The numbers are those of linux/rtnetlink.h. */
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { attribute, messagesIn, type NetlinkMessage, textOf } from '../../host/netlink-message.ts';
import { ROUTE_TABLE } from '../../host/own-numbers.ts';

/**
 * `gone`: the interface of the mesh. `mesh`: something on it, in our table, or a routing rule. `elsewhere`: something else of the
 * host's network.
 */
type RouteEvent = 'gone' | 'mesh' | 'elsewhere';

const [NEW_LINK, DELETED_LINK, NEW_ADDRESS, DELETED_ADDRESS, NEW_ROUTE, DELETED_ROUTE, NEW_RULE, DELETED_RULE] = [
  16, 17, 20, 21, 24, 25, 32, 33,
];
const [LINK_BYTES, ROUTE_BYTES] = [16, 12];
const [LINK_NAME, ROUTE_OUT, ROUTE_TABLE_ATTRIBUTE] = [3, 4, 15];

/** Remembers which number the interface of the mesh has: other messages name it by that. Undefined: it has not been announced yet. */
export class RouteEvents {
  #mesh: number | undefined;

  take(datagram: Buffer): ReadonlySet<RouteEvent> {
    const events = new Set<RouteEvent>();
    for (const message of messagesIn(datagram)) {
      const event = this.#eventOf(message);
      if (event !== undefined) events.add(event);
    }
    return events;
  }

  #eventOf({ type, body }: NetlinkMessage): RouteEvent | undefined {
    if (type === NEW_LINK || type === DELETED_LINK) return this.#linkEvent(type, body);
    if (type === NEW_ADDRESS || type === DELETED_ADDRESS) {
      return this.#of(this.#mesh === undefined || body.readUInt32LE(4) === this.#mesh);
    }
    if (type === NEW_ROUTE || type === DELETED_ROUTE) return this.#routeEvent(body);
    return type === NEW_RULE || type === DELETED_RULE ? 'mesh' : undefined;
  }

  /** An interface that was renamed is gone by its old name. */
  #linkEvent(type: number, body: Buffer): RouteEvent {
    const index = body.readInt32LE(4);
    const isMesh = textOf(attribute(body, LINK_BYTES, LINK_NAME)) === MESH_INTERFACE;
    const wasMesh = index === this.#mesh;
    if (type === DELETED_LINK ? isMesh || wasMesh : wasMesh && !isMesh) {
      this.#mesh = undefined;
      return 'gone';
    }
    if (isMesh) this.#mesh = index;
    return this.#of(isMesh);
  }

  #routeEvent(body: Buffer): RouteEvent {
    const table = attribute(body, ROUTE_BYTES, ROUTE_TABLE_ATTRIBUTE)?.readUInt32LE(0) ?? body.readUInt8(4);
    const out = attribute(body, ROUTE_BYTES, ROUTE_OUT)?.readUInt32LE(0);
    return this.#of(table === ROUTE_TABLE || (out !== undefined && out === this.#mesh));
  }

  #of(isMesh: boolean): RouteEvent {
    return isMesh ? 'mesh' : 'elsewhere';
  }
}
