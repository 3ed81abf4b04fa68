import { newSigningKey } from './issuer.ts';
import { pemOf } from './pem.ts';
import { SIGNING, x509 } from './x509.ts';

interface MadeRequest {
  /** PKCS #8 in PEM, as servers read it. A secret. */
  readonly private_key: string;
  /** PKCS #10 in PEM. It names nothing: the coordinator knows the names of a node. */
  readonly request: string;
}

/** A new key, and a request for a certificate of it. */
export async function makeRequest(): Promise<MadeRequest> {
  const { private_key, pair } = await newSigningKey();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ keys: pair, signingAlgorithm: SIGNING });
  return {
    private_key: pemOf('PRIVATE KEY', private_key),
    request: pemOf('CERTIFICATE REQUEST', new Uint8Array(request.rawData)),
  };
}
