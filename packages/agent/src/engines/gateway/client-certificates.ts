/**
 * Certificates of clients: nginx checks them against the roots of the mesh and its revocation lists, and without either lets no one
 * through. What they say of their holder is read by `lua/certificates.ts`.
 *
 * nginx decides by the name of the handshake which certificates it asks for, and by the name of the request which ones it needs.
 * A request for another name than that of its handshake gets 421 where certificates are asked for.
 */
import type { IngressAssignment } from '@meshwork/contract';
import { asksForCertificates } from './client-headers.ts';
import { caFile, listsFile } from './gateway-files.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, withVariables } from './nginx-text.ts';
import { grpcAnswer, plainAnswer } from './own-answers.ts';
import { proofWhereRefused } from './proof-place.ts';
import { wordFor } from './record-texts.ts';

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;
/** By what nginx says of a certificate that it does not accept, and of one that is missing. Of a name that may not pass, our own code does. */
const REFUSALS = [
  [495, 'The gateway does not accept your client certificate.', PERMISSION_DENIED],
  [496, 'This service needs a client certificate.', UNAUTHENTICATED],
  [420, 'This service is not open to your client certificate.', PERMISSION_DENIED],
] as const;
/** From the certificate of a client to a root: an intermediate, and one more to spare. */
const DEPTH = 3;

/** For all servers: a session is taken up again before its name is known, and would bring a certificate that was revoked since. */
export function sessionRules(section: readonly IngressAssignment[]): readonly Directive[] {
  if (section.some(asksForCertificates)) {
    return [directive('ssl_session_cache', 'off'), directive('ssl_session_tickets', 'off')];
  }
  return [
    directive('ssl_session_cache', 'shared:mesh_tls:16m'),
    directive('ssl_session_timeout', '1d'),
    directive('ssl_session_tickets', 'on'),
  ];
}

/** Once for all ingresses. Before a request has a route, only what it sends says that it is of gRPC. */
export const REFUSAL_FORM = block(
  'map',
  [withVariables('$http_content_type'), withVariables('$mesh_refusal')],
  [directive('default', ''), directive('"~*^application/grpc"', '_grpc')],
);

/** In each server that shows the certificate of the ingress. */
export function clientChecks(
  ingress: IngressAssignment,
  { folder, ca, lists }: Pick<NginxInput, 'folder' | 'ca' | 'lists'>,
): readonly Directive[] {
  if (!asksForCertificates(ingress)) return [];
  if (ca === undefined || lists === undefined) {
    throw new Error(`ingress ${ingress.id} cannot be served: certificates of clients cannot be checked`);
  }
  return [
    directive('ssl_verify_client', ingress.tls?.clients === 'required' ? 'on' : 'optional'),
    directive('ssl_verify_depth', DEPTH),
    directive('ssl_client_certificate', `${folder}/${caFile(ca)}`),
    directive('ssl_crl', `${folder}/${listsFile(lists)}`),
    ...refusalPages(),
  ];
}

/** In each location: one that has an answer of its own inherits none. */
function refusalPages(): readonly Directive[] {
  return [
    directive('error_page', 495, '=', withVariables('@client_495$mesh_refusal')),
    directive('error_page', 496, '=', withVariables('@client_496$mesh_refusal')),
    directive('error_page', 420, '=', withVariables('@client_420$mesh_refusal')),
  ];
}

/** What `identify` of `lua/certificates.ts` goes by, and what it finds. */
export function clientRules(ingress: IngressAssignment): readonly Directive[] {
  if (!asksForCertificates(ingress)) return [];
  return [
    directive('set', withVariables('$mesh_clients'), ingress.tls?.clients ?? 'none'),
    directive('set', withVariables('$mesh_client_allowed'), wordFor(allowedNames(ingress))),
    directive('set', withVariables('$mesh_client_names'), ''),
    directive('set', withVariables('$mesh_client_spiffe'), ''),
    directive('set', withVariables('$mesh_client_serial'), ''),
    directive('set', withVariables('$mesh_client_fingerprint'), ''),
    ...refusalPages(),
  ];
}

/** Empty: all. No name has a space in it. */
export function allowedNames({ tls }: Pick<IngressAssignment, 'tls'>): string {
  return (tls?.client_names ?? []).join(' ');
}

export function refusalLocations(ingress: IngressAssignment): readonly Directive[] {
  if (!asksForCertificates(ingress)) return [];
  return REFUSALS.flatMap(([code, text, grpc]) => [
    block('location', [`@client_${code}`], [proofWhereRefused(ingress), ...plainAnswer(403, text)]),
    block('location', [`@client_${code}_grpc`], grpcAnswer(grpc, text)),
  ]);
}
