import type { IngressAssignment } from '@meshwork/contract';
import { type Expression, withVariables } from './nginx-text.ts';

export function asksForCertificates({ tls }: Pick<IngressAssignment, 'tls'>): boolean {
  return (tls?.clients ?? 'none') !== 'none';
}

/** What a service learns of a client that has shown a certificate, by what `lua/certificates.ts` finds in it. */
const CLIENT_CERTIFICATE_HEADERS = [
  ['X-Client-Certificate-Names', withVariables('$mesh_client_names')],
  ['X-Client-Certificate-Spiffe-Id', withVariables('$mesh_client_spiffe')],
  ['X-Client-Certificate-Serial', withVariables('$mesh_client_serial')],
  ['X-Client-Certificate-Fingerprint', withVariables('$mesh_client_fingerprint')],
] as const;

/** What a service learns of the node that asks, by what `lua/identity.ts` finds. */
const NODE_HEADERS = [
  ['X-Mesh-Node', withVariables('$mesh_node')],
  ['X-Mesh-Node-Spiffe-Id', withVariables('$mesh_node_spiffe')],
] as const;

/** What a service learns of a person who has signed in, by what `lua/sign-in.ts` finds. */
const PERSON_HEADERS = [
  ['X-Mesh-User', withVariables('$mesh_user')],
  ['X-Mesh-User-Id', withVariables('$mesh_user_id')],
  ['X-Mesh-Groups', withVariables('$mesh_groups')],
] as const;

/** All that a gateway says of who asks. Clients can set none of them, on any ingress. */
export const IDENTITY_HEADERS = [...CLIENT_CERTIFICATE_HEADERS, ...NODE_HEADERS, ...PERSON_HEADERS];

/** Those that a service of this ingress gets. */
export function shownIdentity(ingress: IngressAssignment): readonly (readonly [string, Expression])[] {
  return [
    ...(asksForCertificates(ingress) ? CLIENT_CERTIFICATE_HEADERS : []),
    ...(ingress.mesh_identity === undefined ? [] : NODE_HEADERS),
    ...(ingress.sign_in === undefined ? [] : PERSON_HEADERS),
  ];
}
