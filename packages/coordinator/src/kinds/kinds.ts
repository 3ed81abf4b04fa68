/**
 * The one table of the kinds of documents that the mesh is made of. Each area has a file here with the shapes of its documents
 * and a row for each kind; a new area adds its file, and two lines below. They stand beneath the areas rather than inside
 * of them, because the model is made of them and areas read each other's documents through it.
 */
import { type PolicyDocuments, policyKinds } from './acls.ts';
import { type AcmeDocuments, acmeKinds } from './acme.ts';
import { type CaDocuments, caKinds } from './ca.ts';
import { type DnsDocuments, dnsKinds } from './dns.ts';
import { type FirewallDocuments, firewallKinds } from './firewall.ts';
import { type GivenCertificateDocuments, givenCertificateKinds } from './given-certificates.ts';
import { type IngressDocuments, ingressKinds } from './ingress.ts';
import { type InstallationDocuments, installationKinds } from './installation.ts';
import type { KindRows } from './kind-row.ts';
import { type NodeDocuments, nodeKinds } from './nodes.ts';
import { type OperationDocuments, operationKinds } from './operations.ts';
import { type OutsideDocuments, outsideKinds } from './outside-authorities.ts';
import { type RelayDocuments, relayKinds } from './relays.ts';
import { type RoleDocuments, roleKinds } from './roles.ts';
import { type RouteDocuments, routeKinds } from './routes.ts';
import { type SettingsDocuments, settingsKinds } from './settings.ts';
import { type SignInDocuments, signInKinds } from './sign-in.ts';
import { type TokenDocuments, tokenKinds } from './tokens.ts';
import { type WafDocuments, wafKinds } from './waf.ts';

export interface Documents
  extends TokenDocuments,
    RoleDocuments,
    SettingsDocuments,
    InstallationDocuments,
    NodeDocuments,
    OperationDocuments,
    RelayDocuments,
    RouteDocuments,
    IngressDocuments,
    GivenCertificateDocuments,
    OutsideDocuments,
    SignInDocuments,
    WafDocuments,
    DnsDocuments,
    PolicyDocuments,
    CaDocuments,
    AcmeDocuments,
    FirewallDocuments {}

export type Kind = keyof Documents;
export type BodyOf<K extends Kind> = Documents[K];

export const KINDS: KindRows<Documents> = {
  ...tokenKinds,
  ...roleKinds,
  ...settingsKinds,
  ...installationKinds,
  ...nodeKinds,
  ...operationKinds,
  ...relayKinds,
  ...routeKinds,
  ...ingressKinds,
  ...givenCertificateKinds,
  ...outsideKinds,
  ...signInKinds,
  ...wafKinds,
  ...dnsKinds,
  ...policyKinds,
  ...caKinds,
  ...acmeKinds,
  ...firewallKinds,
};

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

/** The document as the audit trail may show it. */
export function redacted(kind: Kind, body: object): Record<string, unknown> {
  const { secret, bulky = [] } = KINDS[kind];
  const hidden: readonly string[] = [...secret, ...bulky];
  return Object.fromEntries(Object.entries(body).filter(([field]) => !hidden.includes(field)));
}
