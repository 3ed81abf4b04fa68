/**
 * Every area of the contract. A new one is its folder, an entry here and, for the names it adds, one in `../vocabularies.ts`.
 * Everything else is derived: the table of operations, OpenAPI, events, permissions, kinds of ids, the client.
 */
import { aclsArea } from './acls/index.ts';
import { acmeArea } from './acme/index.ts';
import { agentsArea } from './agents/index.ts';
import { auditArea } from './audit/index.ts';
import { caArea } from './ca/index.ts';
import { certificateOrdersArea } from './certificate-orders/index.ts';
import { delegationsArea } from './delegations/index.ts';
import { dnsArea } from './dns/index.ts';
import { eventsArea } from './events/index.ts';
import { firewallArea } from './firewall/index.ts';
import { givenCertificatesArea } from './given-certificates/index.ts';
import { ingressArea } from './ingress/index.ts';
import { metaArea } from './meta/index.ts';
import { nodesArea } from './nodes/index.ts';
import { operationsArea } from './operations/index.ts';
import { outsideAuthoritiesArea } from './outside-authorities/index.ts';
import { overviewArea } from './overview/index.ts';
import { peersArea } from './peers/index.ts';
import { relaysArea } from './relays/index.ts';
import { rolesArea } from './roles/index.ts';
import { routesArea } from './routes/index.ts';
import { selfArea } from './self/index.ts';
import { settingsArea } from './settings/index.ts';
import { tokensArea } from './tokens/index.ts';
import { wafArea } from './waf/index.ts';

export * from './acls/index.ts';
export * from './acme/index.ts';
export * from './agents/index.ts';
export * from './audit/index.ts';
export * from './ca/index.ts';
export * from './certificate-orders/index.ts';
export * from './delegations/index.ts';
export * from './dns/index.ts';
export * from './events/index.ts';
export * from './firewall/index.ts';
export * from './given-certificates/index.ts';
export * from './ingress/index.ts';
export * from './meta/index.ts';
export * from './nodes/index.ts';
export * from './operations/index.ts';
export * from './outside-authorities/index.ts';
export * from './overview/index.ts';
export * from './peers/index.ts';
export * from './relays/index.ts';
export * from './roles/index.ts';
export * from './routes/index.ts';
export * from './self/index.ts';
export * from './settings/index.ts';
export * from './tokens/index.ts';
export * from './waf/index.ts';

const ACCESS = [tokensArea, delegationsArea, rolesArea, selfArea] as const;
const MESH = [
  overviewArea,
  nodesArea,
  agentsArea,
  operationsArea,
  peersArea,
  aclsArea,
  firewallArea,
  relaysArea,
  routesArea,
  ingressArea,
  givenCertificatesArea,
  outsideAuthoritiesArea,
  certificateOrdersArea,
  wafArea,
  dnsArea,
  caArea,
  acmeArea,
] as const;
const SERVICE = [eventsArea, auditArea, settingsArea, metaArea] as const;

/** In the order of reference pages. */
export const AREA_LIST = [...ACCESS, ...MESH, ...SERVICE] as const;
/** In the order in which events are listed: what happens in the mesh comes before what happens to credentials. */
export const AREAS_BY_EVENTS = [...MESH, ...ACCESS, ...SERVICE] as const;
