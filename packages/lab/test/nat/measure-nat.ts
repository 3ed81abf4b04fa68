import type { BareSocket, BareSockets, Endpoint } from './bare-sockets.ts';

/** One of the two servers outside: the same two ports on each. */
export interface Server {
  readonly host: string;
  readonly ports: readonly [number, number];
  readonly sockets: readonly [BareSocket, BareSocket];
}

export type Servers = readonly [Server, Server];

interface Measured {
  readonly mapping: string;
  readonly filtering: string;
  readonly keeps_port: boolean;
  /** Where the servers see the inside. */
  readonly seen_at: string;
}

let asked = 0;
/** A text that no other datagram has. */
export function newText(): string {
  asked += 1;
  return `d${asked}`;
}

/** As RFC 4787 has it, by two ports of the inside that were not used before. */
export async function measureNat(
  inside: BareSockets,
  servers: Servers,
  { port, family = 4 }: { readonly port: number; readonly family?: 4 | 6 },
): Promise<Measured> {
  const mapping = await mappingOf(await inside.bind(port, family), servers);
  const socket = await inside.bind(port + 1, family);
  const { at, filtering } = await filteringOf(socket, servers);
  return { mapping, filtering, keeps_port: at.port === port + 1, seen_at: at.host };
}

/** One inside socket to three destinations: which of them see the same port? */
async function mappingOf(socket: BareSocket, [one, other]: Servers): Promise<string> {
  const first = await seenBy(one, 0, socket);
  const otherPort = await seenBy(one, 1, socket);
  const otherAddress = await seenBy(other, 0, socket);
  if (first.port !== otherPort.port) return 'address-and-port-dependent';
  return first.port === otherAddress.port ? 'endpoint-independent' : 'address-dependent';
}

/** The inside has sent to one port of one server. Who else may answer? */
async function filteringOf(
  socket: BareSocket,
  [one, other]: Servers,
): Promise<{ readonly at: Endpoint; readonly filtering: string }> {
  const at = await seenBy(one, 0, socket);
  const [stranger, neighbour, known] = [newText(), newText(), newText()];
  await other.sockets[1].send(at, stranger);
  await one.sockets[1].send(at, neighbour);
  // This one may pass, and comes last: when it is there, the others are, or never will be.
  await one.sockets[0].send(at, known);
  await socket.from(known);
  if (socket.has(stranger)) return { at, filtering: 'endpoint-independent' };
  return { at, filtering: socket.has(neighbour) ? 'address-dependent' : 'address-and-port-dependent' };
}

/** Where a server sees an inside socket, at one of its ports. */
export async function seenBy(server: Server, which: 0 | 1, socket: BareSocket): Promise<Endpoint> {
  const text = newText();
  await socket.send({ host: server.host, port: server.ports[which] }, text);
  return await server.sockets[which].from(text);
}
