/**
 * What of nginx finds out who asks. Where an ingress wants to know, a request comes to a location in front of that of its route: what
 * may not pass is refused there, before it is counted or inspected, and what is known of it holds from then on (`lua/identity.ts`).
 */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, joined, withVariables } from './nginx-text.ts';
import { digestOf } from './record-texts.ts';
import { isByIdentity } from './traffic-rules.ts';

export function asksForIdentity({ mesh_identity, sign_in, routes }: IngressAssignment): boolean {
  return (
    mesh_identity !== undefined || sign_in !== undefined || routes.some(({ traffic }) => isByIdentity(traffic.limits))
  );
}

/** Whether requests of a route come to the location in front of it first. */
export function isFronted(ingress: IngressAssignment, { traffic }: AssignedRoute): boolean {
  return ingress.mesh_identity !== undefined || ingress.sign_in !== undefined || isByIdentity(traffic.limits);
}

/** Once for all ingresses: which connections come from proxies. */
export function proxiedConnections(section: readonly IngressAssignment[]): readonly Directive[] {
  const lists = section.flatMap((ingress) => (asksForIdentity(ingress) ? [proxiesOf(ingress)] : []));
  const distinct = new Map(lists.filter((list) => list.length > 0).map((list) => [nameOf(list), list]));
  return [...distinct].map(([name, list]) =>
    block(
      'geo',
      [withVariables('$realip_remote_addr'), joined(withVariables('$mesh_by_proxy_'), name)],
      [...new Set(list)].map((network) => directive(network, 1)),
    ),
  );
}

const NO_PERSON = [
  directive('set', withVariables('$mesh_user'), ''),
  directive('set', withVariables('$mesh_user_id'), ''),
  directive('set', withVariables('$mesh_groups'), ''),
];

/** What is said of a connection by what is in front of the gateway is no proof of who asks. `passed`: where those go that may pass. */
export function identityRules(ingress: IngressAssignment, passed: string, input: NginxInput): readonly Directive[] {
  return [
    directive('set', withVariables('$mesh_passed'), passed),
    directive('set', withVariables('$mesh_proxied'), proxied(ingress, input)),
    directive('set', withVariables('$mesh_node'), ''),
    directive('set', withVariables('$mesh_node_spiffe'), ''),
    directive('set', withVariables('$mesh_identity'), ''),
    ...(ingress.sign_in === undefined ? [] : NO_PERSON),
  ];
}

function proxied(ingress: IngressAssignment, { proxy_protocol = [] }: NginxInput) {
  if (proxy_protocol.length > 0) return '1';
  const networks = proxiesOf(ingress);
  return networks.length === 0 ? '' : joined(withVariables('$mesh_by_proxy_'), nameOf(networks));
}

function proxiesOf({ proxies }: IngressAssignment): readonly string[] {
  return proxies?.networks ?? [];
}

function nameOf(networks: readonly string[]): string {
  return digestOf(networks.join(' '));
}
