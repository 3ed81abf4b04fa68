/** Written by `npm run generate` from the schemas of what an agent reads. */
import { arrayOf, boolean, integer, nothing, number, object, oneOf, string } from '../shape.ts';

const wafRulesShape = object({
  mode: string,
  early_blocking: boolean,
  sampling_percent: integer,
  inspect_responses: boolean,
  paranoia: object({ block: integer, detect: integer }),
  thresholds: object({ inbound: integer, outbound: integer }),
  requests: object({ methods: arrayOf(string), content_types: arrayOf(string), body_bytes: integer, arguments_most: oneOf(integer, nothing), argument_bytes: oneOf(integer, nothing), file_bytes: oneOf(integer, nothing), denied_extensions: arrayOf(string) }),
  clients: object({ trusted: arrayOf(string), denied: arrayOf(string), allowed_countries: arrayOf(string), denied_countries: arrayOf(string) }),
  rules: arrayOf(object({ name: string, when: arrayOf(object({ part: string, name: oneOf(string, nothing), test: string, values: arrayOf(string), negated: boolean, transforms: arrayOf(string) })), action: string, score: integer })),
});

const wafAssignmentShape = object({
  id: string,
  rules: wafRulesShape,
  exclusions: arrayOf(object({ rule: oneOf(integer, nothing), tag: oneOf(string, nothing), host: string, path: string, below: boolean, parameter: oneOf(object({ part: string, name: oneOf(string, nothing) }), nothing) })),
});

const selfSectionShape = object({
  name: string,
  address: string,
  address6: string,
  networks: arrayOf(string),
  tags: arrayOf(string),
  state: string,
  routes: arrayOf(string),
  services: arrayOf(object({ name: string, protocol: string, port: integer })),
  port_mapping: boolean,
}, ['services', 'port_mapping']);

const peerShape = object({
  id: string,
  name: string,
  wireguard_key: string,
  address: string,
  address6: string,
  endpoints: arrayOf(string),
  relayed: arrayOf(object({ relay: string, endpoint: string })),
  relay: oneOf(string, nothing),
  services: arrayOf(object({ name: string, protocol: string, port: integer })),
}, ['relayed', 'services']);

const peersSectionShape = object({
  full: arrayOf(peerShape),
  upsert: arrayOf(peerShape),
  remove: arrayOf(string),
}, ['full', 'upsert', 'remove']);

const peerTermsShape = object({
  peer: string,
  allow: arrayOf(string),
  forward: arrayOf(object({ to: string, allow: arrayOf(string) })),
  routes: arrayOf(string),
  routes_via: arrayOf(string),
  routes_shared: arrayOf(string),
}, ['routes_via', 'routes_shared']);

const aclSectionShape = object({
  full: arrayOf(peerTermsShape),
  upsert: arrayOf(peerTermsShape),
  remove: arrayOf(string),
}, ['full', 'upsert', 'remove']);

export const firewallSectionShape = arrayOf(object({ id: string, direction: string, interface: string, from: arrayOf(string), to: arrayOf(string), protocol: string, ports: arrayOf(string), action: string, rate: object({ count: integer, per: string, burst: integer }, ['burst']) }, ['from', 'to', 'ports', 'rate']));

const relaySectionShape = object({
  name: string,
  host: string,
  port: integer,
  tls: object({ port: integer, server_name: string, trust: string }),
  stun_ports: object({ first: integer, last: integer }),
  any_address: boolean,
}, ['tls', 'stun_ports', 'any_address']);

const upstreamCheckShape = object({
  kind: string,
  path: string,
  status: string,
  body: oneOf(string, nothing),
  grpc_service: oneOf(string, nothing),
  interval_s: integer,
  timeout_s: integer,
  rise: integer,
  fall: integer,
});

const trafficShape = object({
  networks: object({ allow: arrayOf(string), deny: arrayOf(string) }),
  limits: object({ requests: oneOf(object({ rate: string, burst: integer }), nothing), connections: oneOf(integer, nothing), by: string }, ['by']),
  request_headers: arrayOf(object({ name: string, value: oneOf(string, nothing) })),
  response_headers: arrayOf(object({ name: string, value: oneOf(string, nothing) })),
  max_body_bytes: oneOf(integer, nothing),
  connect_timeout_s: integer,
  idle_timeout_s: integer,
  compress: boolean,
});

const ingressAssignmentShape = object({
  id: string,
  hostname: string,
  kind: string,
  port: oneOf(integer, nothing),
  draining: boolean,
  deadline: object({ at: string, after_s: integer }),
  routes: arrayOf(object({ path: string, protocol: string, balance: string, proxy_protocol: boolean, check: upstreamCheckShape, traffic: trafficShape, waf: oneOf(string, nothing), pools: arrayOf(object({ service: string, percent: integer, targets: arrayOf(object({ node: string, name: string, address: string, port: integer, weight: integer })) })) }, ['waf'])),
  redirects: arrayOf(object({ path: string, to: string, status: oneOf(number, number, number, number), keep: boolean })),
  maintenance: oneOf(object({ message: string, retry_after_s: integer, allow: arrayOf(string) }), nothing),
  proxies: oneOf(object({ networks: arrayOf(string), header: string }), nothing),
  mesh_identity: object({ spiffe_prefix: oneOf(string, nothing) }),
  sign_in: object({ session_s: integer, groups: arrayOf(string), people: arrayOf(string), open: arrayOf(string), nodes: boolean, panel: oneOf(string, nothing), keys: arrayOf(string), not_before_ms: integer, ended: arrayOf(object({ person: string, at_ms: integer })) }),
  counted: boolean,
  tls: oneOf(object({ chain: oneOf(string, nothing), given: string, challenge: string, redirect: boolean, clients: string, client_names: arrayOf(string) }, ['given', 'challenge', 'clients', 'client_names']), nothing),
}, ['kind', 'port', 'deadline', 'routes', 'redirects', 'maintenance', 'proxies', 'mesh_identity', 'sign_in', 'counted', 'tls']);

const ingressSectionShape = arrayOf(ingressAssignmentShape);

const wafSectionShape = arrayOf(wafAssignmentShape);

const assignedCertificateShape = object({
  id: string,
  chain: string,
  private_key: string,
});

const givenCertificatesSectionShape = arrayOf(assignedCertificateShape);

const dnsSectionShape = object({
  records: arrayOf(object({ name: string, addresses: arrayOf(string), cname: string }, ['addresses', 'cname'])),
  routing_domains: arrayOf(object({ domain: string, resolvers: arrayOf(string) })),
  ingresses: arrayOf(object({ hostname: string, addresses: arrayOf(string) })),
}, ['ingresses']);

const relaysSectionShape = arrayOf(relaySectionShape);

const relayServerSectionShape = object({
  name: string,
  host: string,
  any_address: boolean,
  realm: string,
  port: integer,
  stun_ports: object({ first: integer, last: integer }),
  tls: oneOf(object({ port: integer, certificate: string }), nothing),
  secrets: arrayOf(string),
  peers: arrayOf(string),
  allocations: integer,
  allocations_a_node: integer,
}, ['any_address', 'stun_ports']);

const relayAccessShape = object({
  relay: relaySectionShape,
  use: string,
  username: string,
  password: string,
  expires_at: string,
}, ['use']);

const trustSectionShape = object({
  roots: arrayOf(string),
  revocation_lists: arrayOf(string),
});

const certificateSectionShape = object({
  chain: oneOf(string, nothing),
  request: boolean,
});

const commandShape = object({
  id: string,
  kind: string,
});

export const heartbeatReplyShape = object({
  revision: integer,
  next_s: number,
  report: string,
  probes: arrayOf(object({ id: string, look: object({ peers: arrayOf(string), rules: arrayOf(string), within_ms: integer }), watch: object({ flow: object({ from: string, to: string, protocol: string, port: integer, source_port: integer }), for_ms: integer }), attempt: object({ flow: object({ from: string, to: string, protocol: string, port: integer, source_port: integer }), within_ms: integer }), challenge: object({ type: string, name: string, token: string, within_ms: integer }), waf: object({ policy: wafAssignmentShape, request: object({ method: string, host: string, uri: string, headers: arrayOf(object({ name: string, value: string })), body: oneOf(string, nothing), address: string }), within_ms: integer }), ingress_proof: object({ ingress: string, token: string, answer: string, for_s: integer }), ingress_check: object({ ingress: string, hostname: string, checks: arrayOf(object({ protocol: string, port: integer })), gateways: arrayOf(object({ address: string, checks: arrayOf(object({ protocol: string, port: integer })) })), token: string, roots: arrayOf(string), within_ms: integer }), show_challenge: object({ ingress: string, hostname: string, type: string, token: string, key_authorization: string, for_s: integer }) }, ['look', 'watch', 'attempt', 'challenge', 'waf', 'ingress_proof', 'ingress_check', 'show_challenge'])),
  self: selfSectionShape,
  peers: peersSectionShape,
  acl: aclSectionShape,
  firewall: firewallSectionShape,
  relay: oneOf(relaySectionShape, nothing),
  ingress: ingressSectionShape,
  waf: wafSectionShape,
  given_certificates: givenCertificatesSectionShape,
  dns: oneOf(dnsSectionShape, nothing),
  relays: relaysSectionShape,
  relay_server: oneOf(relayServerSectionShape, nothing),
  relay_access: arrayOf(relayAccessShape),
  trust: oneOf(trustSectionShape, nothing),
  certificate: oneOf(certificateSectionShape, nothing),
  commands: arrayOf(commandShape),
}, ['report', 'probes', 'self', 'peers', 'acl', 'firewall', 'relay', 'ingress', 'waf', 'given_certificates', 'dns', 'relays', 'relay_server', 'relay_access', 'trust', 'certificate', 'commands']);

export const nodeSessionShape = object({
  node: string,
  bearer: string,
  expires: string,
  interval_s: integer,
  audience: string,
  seen_as: oneOf(string, nothing),
}, ['audience']);
