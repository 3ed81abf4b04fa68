import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';
import { RemoteProgram } from '../remote-program.ts';

const PROGRAM = fileURLToPath(new URL('./other-services-process.ts', import.meta.url));

export interface ServicePorts {
  readonly tcp: number;
  readonly udp: number;
  readonly grpc: number;
  readonly tls: number;
}

export const OTHER_PORTS: ServicePorts = { tcp: 8083, udp: 8084, grpc: 8085, tls: 8086 };

/** As nodes report them. */
export const OTHER_SERVICES = [
  `mqtt:tcp:${OTHER_PORTS.tcp}`,
  `game:udp:${OTHER_PORTS.udp}`,
  `greeter:tcp:${OTHER_PORTS.grpc}`,
  `vault:tcp:${OTHER_PORTS.tls}`,
];

export interface OtherServicesRequest {
  readonly do: 'serve';
  readonly name: string;
  readonly ports: ServicePorts;
  /** A folder with `cert.pem` and `key.pem`: the node's own. */
  readonly tls: string;
}

/** Services on a node of a lab that are no websites. They end with what was started for them. */
export async function startOtherServices(lab: string, node: LabNode): Promise<AsyncDisposable> {
  const program = new RemoteProgram<OtherServicesRequest, { readonly serve: null }>(node, 'other services', PROGRAM);
  const tls = join(nodeFolder(lab, node.name), 'state', 'tls', 'current');
  await program.ask({ do: 'serve', name: node.name, ports: OTHER_PORTS, tls });
  return program;
}
