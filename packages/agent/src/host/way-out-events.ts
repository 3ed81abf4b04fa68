/** What the kernel announces about the way out of this host: its addresses and default routes. The numbers are those of linux/rtnetlink.h. */
import type { Family } from '@meshwork/addresses';
import { attribute, messagesIn } from './netlink-message.ts';
import { ROUTE_TABLE } from './own-numbers.ts';

interface WayOutEvent {
  readonly kind: 'address' | 'default-route';
  readonly family: Family;
}

const [NEW_ADDRESS, DELETED_ADDRESS, NEW_ROUTE, DELETED_ROUTE] = [20, 21, 24, 25];
const FAMILIES: Readonly<Record<number, Family>> = { 2: 4, 10: 6 };
const [ADDRESS_BYTES, ROUTE_BYTES, ROUTE_TABLE_ATTRIBUTE] = [8, 12, 15];

/** A default route into the mesh is none. */
export function* wayOutEvents(datagram: Buffer): Generator<WayOutEvent> {
  for (const { type, body } of messagesIn(datagram)) {
    const family = body.length < ADDRESS_BYTES ? undefined : FAMILIES[body.readUInt8(0)];
    if (family === undefined) continue;
    if (type === NEW_ADDRESS || type === DELETED_ADDRESS) yield { kind: 'address', family };
    else if ((type === NEW_ROUTE || type === DELETED_ROUTE) && isDefault(body)) yield { kind: 'default-route', family };
  }
}

function isDefault(body: Buffer): boolean {
  const table = attribute(body, ROUTE_BYTES, ROUTE_TABLE_ATTRIBUTE)?.readUInt32LE(0);
  return body.readUInt8(1) === 0 && table !== ROUTE_TABLE;
}
