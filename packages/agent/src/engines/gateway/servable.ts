import type { IngressAssignment } from '@meshwork/contract';
import { GATEWAY_FILES } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';
import { hostSockets } from './host-sockets.ts';
import { uninspectable } from './ingress-problems.ts';
import type { GatewayPorts } from './nginx-input.ts';
import type { NginxProcess } from './nginx-process.ts';
import { servedStreams } from './served-streams.ts';

interface Host {
  readonly folder: GatewayFolder;
  readonly process: NginxProcess;
  readonly ports: GatewayPorts;
}

/** What of a section can be served here: without ingresses that another program, or another ingress, leaves no place for. */
export async function servable(all: readonly IngressAssignment[], { folder, process, ports }: Host) {
  const uninspected = uninspectable(all);
  const section = all.filter(({ id }) => !uninspected.has(id));
  const http = section.filter(({ kind }) => kind === 'http');
  if (http.length === section.length) return { served: section, problems: uninspected };
  const runs = (await process.pid()) !== undefined;
  if (!runs) await process.retireOrphans(); // their ports are no other program's
  const running = runs ? await folder.read(GATEWAY_FILES.config) : undefined;
  const { streams, problems } = servedStreams({ section, ports, running, sockets: await hostSockets() });
  return { served: [...http, ...streams], problems: new Map([...problems, ...uninspected]) };
}
