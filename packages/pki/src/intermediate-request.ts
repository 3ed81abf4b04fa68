import { authorityExtensions, commonName } from './authority.ts';
import type { Constraints } from './constraints.ts';
import { newSigningKey } from './issuer.ts';
import { pemOf } from './pem.ts';
import { SIGNING, x509 } from './x509.ts';

export interface IntermediateRequest {
  /** PKCS #8 in DER. A secret. */
  readonly private_key: Uint8Array<ArrayBuffer>;
  /** SPKI in DER: what its certificate has to be for. */
  readonly public_key: Uint8Array<ArrayBuffer>;
  /** PKCS #10 in PEM. */
  readonly request: string;
}

/** The key of an intermediate that is signed elsewhere, and a request with the extensions that its certificate has to have. */
export async function requestIntermediate(wanted: {
  readonly name: string;
  readonly constraints: Constraints;
}): Promise<IntermediateRequest> {
  const { private_key, pair } = await newSigningKey();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: commonName(wanted.name),
    keys: pair,
    signingAlgorithm: SIGNING,
    extensions: await authorityExtensions(wanted, { levels_below: 0, publicKey: pair.publicKey }),
  });
  return {
    private_key,
    public_key: new Uint8Array(request.publicKey.rawData),
    request: pemOf('CERTIFICATE REQUEST', new Uint8Array(request.rawData)),
  };
}
