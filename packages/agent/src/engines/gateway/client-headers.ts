import type { IngressAssignment } from '@meshwork/contract';
import { withVariables } from './nginx-text.ts';

export function asksForCertificates({ tls }: Pick<IngressAssignment, 'tls'>): boolean {
  return (tls?.clients ?? 'none') !== 'none';
}

/** What a service learns of a client that has shown a certificate, by what `lua/certificates.ts` finds in it. */
export const CLIENT_CERTIFICATE_HEADERS = [
  ['X-Client-Certificate-Names', withVariables('$mesh_client_names')],
  ['X-Client-Certificate-Spiffe-Id', withVariables('$mesh_client_spiffe')],
  ['X-Client-Certificate-Serial', withVariables('$mesh_client_serial')],
  ['X-Client-Certificate-Fingerprint', withVariables('$mesh_client_fingerprint')],
] as const;
