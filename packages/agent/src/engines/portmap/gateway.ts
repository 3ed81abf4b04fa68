import { createSocket } from 'node:dgram';
import { familyOf } from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import type { RunCommand } from '../../host/run-command.ts';

/** The router by which this host reaches the internet over IPv4. */
export interface Gateway {
  readonly address: string;
  /** The address of this host that it sees. */
  readonly from: string;
}

interface IpRoute {
  readonly gateway?: string;
  readonly dev?: string;
  readonly metric?: number;
}

/**
 * Undefined: there is none. It is on a network that the host itself is in, so what is sent to it never goes through the mesh: see
 * `RULE_PRIORITY`. The table of the mesh is another one than `main`, which is read here.
 */
export async function findGateway(run: RunCommand): Promise<Gateway | undefined> {
  const routes = JSON.parse(await run('ip', ['-4', '-json', 'route', 'show', 'default'])) as readonly IpRoute[];
  const [nearest] = routes
    .filter(({ gateway, dev }) => gateway !== undefined && familyOf(gateway) === 4 && dev !== MESH_INTERFACE)
    .sort((a, b) => (a.metric ?? 0) - (b.metric ?? 0));
  const address = nearest?.gateway;
  return address === undefined ? undefined : { address, from: await addressTowards(address) };
}

/** The kernel's choice. Nothing is sent. */
async function addressTowards(address: string): Promise<string> {
  const socket = createSocket('udp4');
  const connected = Promise.withResolvers<void>();
  socket.on('error', connected.reject);
  socket.connect(9, address, connected.resolve);
  try {
    await connected.promise;
    return socket.address().address;
  } finally {
    socket.close();
  }
}
