/** The DNS server of an agent with many nodes in its zone, on loopback. For the bench. */
import { Listener } from '../src/engines/names/server/listener.ts';
import { NameServer } from '../src/engines/names/server/name-server.ts';
import { Zone } from '../src/engines/names/zone/zone.ts';

const LOOPBACK = '127.0.0.1';

interface NamedNode {
  readonly name: string;
  readonly address: string;
  readonly address6: string;
}

/** Answers with the port. */
export async function serveNames(nodes: Iterable<NamedNode>): Promise<number> {
  const zone = new Zone();
  for (const { name, address, address6 } of nodes) {
    zone.put({ name, address: `${address}/32`, address6: `${address6}/128` });
  }
  const server = new NameServer(zone, { isOwn: () => false });
  const { port } = await Listener.open({ address: LOOPBACK, port: 0, server, isOwn: (from) => from === LOOPBACK });
  return port;
}
