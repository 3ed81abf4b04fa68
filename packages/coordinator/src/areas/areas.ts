/** The one list of areas. The compiler holds it to the table of operations: every operation has a handler in the area of its name. */
import type { OperationId } from '@meshwork/contract';
import { acls } from './acls/acls.area.ts';
import { acme } from './acme/acme.area.ts';
import { agents } from './agents/agents.area.ts';
import type { Area } from './area.ts';
import { audit } from './audit/audit.area.ts';
import { ca } from './ca/ca.area.ts';
import { certificateOrders } from './certificate-orders/certificate-orders.area.ts';
import { delegations } from './delegations/delegations.area.ts';
import { dns } from './dns/dns.area.ts';
import { events } from './events/events.area.ts';
import { firewall } from './firewall/firewall.area.ts';
import { givenCertificates } from './given-certificates/given-certificates.area.ts';
import { ingress } from './ingress/ingress.area.ts';
import { meta } from './meta/meta.area.ts';
import { nodes } from './nodes/nodes.area.ts';
import { operations } from './operations/operations.area.ts';
import { outsideAuthorities } from './outside-authorities/outside-authorities.area.ts';
import { overview } from './overview/overview.area.ts';
import { peers } from './peers/peers.area.ts';
import { relays } from './relays/relays.area.ts';
import { roles } from './roles/roles.area.ts';
import { routes } from './routes/routes.area.ts';
import { self } from './self/self.area.ts';
import { settings } from './settings/settings.area.ts';
import { tokens } from './tokens/tokens.area.ts';
import { waf } from './waf/waf.area.ts';

type AreaName = OperationId extends `${infer Name}.${string}` ? Name : never;

export const AREAS = {
  tokens,
  delegations,
  roles,
  self,
  overview,
  nodes,
  agents,
  operations,
  peers,
  acls,
  firewall,
  routes,
  ingress,
  given_certificates: givenCertificates,
  outside_authorities: outsideAuthorities,
  certificate_orders: certificateOrders,
  waf,
  dns,
  relays,
  ca,
  acme,
  events,
  audit,
  settings,
  meta,
} satisfies { readonly [Name in AreaName]: Area<Name> } & { readonly routes: Area<'routes'> };
