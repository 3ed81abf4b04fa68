import { MESH_DOMAIN } from '@meshwork/contract';
import type { IngressDocument } from '../kinds/ingress.ts';
import { shownFor } from '../mesh/gateway-certificates.ts';
import { givenBy, whyNotGiven } from '../mesh/given-certificates.ts';
import type { Stored, View } from '../mesh/model.ts';
import { wholeIngress } from '../mesh/whole-ingress.ts';
import { signingAuthority } from './authorities.ts';
import { certifies, isIn } from './granted-hostnames.ts';

/** Why the authority cannot certify the host name of an ingress. Null: it can. */
export function uncertified({ body }: Stored<'authority'>, hostname: string): string | null {
  if (isIn(hostname, MESH_DOMAIN)) return `${hostname} belongs to nodes, as every name in "${MESH_DOMAIN}" does.`;
  if (certifies(body.constraints, hostname)) return null;
  return `${hostname} lies in no domain that the root certifies. Add it to ca.domains and rotate the root.`;
}

/** Whether gateways show a certificate of the mesh CA for it. */
export function wantsCertificate(ingress: IngressDocument): boolean {
  return wholeIngress(ingress).tls.certificate === 'mesh';
}

/** Why a gateway has no certificate for an ingress. Null: it has one, or needs none. */
export function whyNoCertificate(view: View, gateway: string, ingress: string): string | null {
  const body = view.get('ingress', ingress)?.body;
  if (body === undefined) return null;
  const given = givenBy(body);
  if (given !== undefined) {
    const why = whyNotGiven(view, body);
    return why === undefined ? null : `No certificate. ${why}`;
  }
  if (!wantsCertificate(body) || shownFor(view, gateway, ingress) !== undefined) return null;
  const issuer = signingAuthority(view);
  if (issuer === undefined) return 'No certificate: the mesh has no authority that signs.';
  const why = uncertified(issuer, body.hostname);
  if (why !== null) return `No certificate: ${why}`;
  const own = view.get('gateway_certificate', gateway)?.body;
  if (own === undefined) return 'No certificate: the gateway has not sent a certificate request.';
  return own.refused === null ? 'No certificate yet: it is being signed.' : `No certificate. ${own.refused}`;
}
