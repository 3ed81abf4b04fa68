import { createPrivateKey, createPublicKey } from 'node:crypto';
import { newSigningKey, signingPair } from './issuer.ts';
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
    private_key: `-----BEGIN PRIVATE KEY-----\n${private_key.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END PRIVATE KEY-----\n`,
    request: pemOf('CERTIFICATE REQUEST', new Uint8Array(request.rawData)),
  };
}

/** A request for a certificate of a key that is kept already, for one host name. As DER. */
export async function requestFor(wanted: {
  readonly hostname: string;
  /** In PEM. A secret. */
  readonly private_key: string;
}): Promise<Uint8Array<ArrayBuffer>> {
  const key = createPrivateKey(wanted.private_key);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys: signingPair(key, createPublicKey(key)),
    signingAlgorithm: SIGNING,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: wanted.hostname }])],
  });
  return new Uint8Array(request.rawData);
}
