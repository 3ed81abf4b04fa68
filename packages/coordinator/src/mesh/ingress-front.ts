import type { IngressDocument, IngressFront } from '../kinds/ingress.ts';
import type { View } from './model.ts';
import { transportOf, wholeIngress } from './whole-ingress.ts';

export const HTTP_PORT = 80;
export const HTTPS_PORT = 443;

/** How clients that know nothing but its host name find an ingress. */
export function frontOf(ingress: IngressDocument): IngressFront {
  const { hostname, kind = 'http', port = null } = ingress;
  if (port !== null) return { hostname, transport: transportOf(kind), port };
  const isSecure = kind === 'tls' || wholeIngress(ingress).tls.certificate !== 'none';
  return { hostname, transport: 'tcp', port: isSecure ? HTTPS_PORT : HTTP_PORT };
}

/** Whether a gateway takes connections there from clients themselves, and not only from what stands in front of it. */
export function takesClients(view: View, gateway: string, { port }: IngressFront): boolean {
  const front = view.get('report', gateway)?.body.gateway_front;
  if (front === undefined || front.proxy_protocol) return false;
  if (port === HTTP_PORT) return front.http_port === HTTP_PORT;
  if (port === HTTPS_PORT) return front.https_port === HTTPS_PORT;
  return true;
}
