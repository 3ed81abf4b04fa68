import { withVariables } from './nginx-text.ts';

/** What a service learns of a client that has shown a certificate, by what `lua/certificates.ts` finds in it. */
export const CLIENT_CERTIFICATE_HEADERS = [
  ['X-Client-Certificate-Names', withVariables('$mesh_client_names')],
  ['X-Client-Certificate-Spiffe-Id', withVariables('$mesh_client_spiffe')],
  ['X-Client-Certificate-Serial', withVariables('$mesh_client_serial')],
  ['X-Client-Certificate-Fingerprint', withVariables('$mesh_client_fingerprint')],
] as const;
