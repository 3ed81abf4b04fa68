import { hash, X509Certificate } from 'node:crypto';

/**
 * What an agent can be given to know this coordinator by: `sha256:` and the SHA-256 of the certificate's public key
 * (SubjectPublicKeyInfo, DER) in base64url. A renewed certificate with the same key has the same pin. `cert` may be a
 * whole chain: its first certificate counts, as it does in TLS.
 */
export function tlsPin(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${hash('sha256', key, 'base64url')}`;
}
