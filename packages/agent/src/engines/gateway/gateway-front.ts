import type { GatewayFront } from '@meshwork/contract';
import type { GatewayPorts } from './nginx-input.ts';

/** Of load balancers that put the PROXY protocol before every connection, if there are any. */
interface Balancers {
  readonly proxy_protocol?: readonly string[] | undefined;
}

/** What the coordinator has to know before it sends nodes of the mesh to this gateway: they come by themselves, to the usual ports. */
export function frontOf({ http_port, https_port, proxy_protocol = [] }: GatewayPorts & Balancers): GatewayFront {
  return { http_port, https_port, proxy_protocol: proxy_protocol.length > 0 };
}
