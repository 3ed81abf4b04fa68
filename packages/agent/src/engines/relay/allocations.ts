import { socketTable } from '../../host/socket-table.ts';
import { RELAYED_PORTS } from './turn-config.ts';

/** How many places coturn receives at for nodes: its sockets in the range of relayed ports, as the kernel lists them. */
export async function countAllocations(uid: number, folder = '/proc/net'): Promise<number> {
  const tables = await Promise.all(['udp', 'udp6'].map((name) => socketTable(`${folder}/${name}`)));
  return tables.reduce((sum, table) => sum + countIn(table, uid), 0);
}

/** Local address, remote address, state, queues, timers, retransmissions, user. */
const ROW = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) \S+ \S+ \S+ \S+ +\S+ +(\d+) /gm;

function countIn(table: string, uid: number): number {
  let count = 0;
  for (const [, port = '', owner] of table.matchAll(ROW)) {
    const number = Number.parseInt(port, 16);
    if (Number(owner) === uid && number >= RELAYED_PORTS.first && number <= RELAYED_PORTS.last) count += 1;
  }
  return count;
}
