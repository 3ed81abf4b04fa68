import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AsnConvert } from '@peculiar/asn1-schema';
import { type Extension, Name } from '@peculiar/asn1-x509';
import { asSchema } from './signed.ts';
import { type CryptoKey, SIGNING, x509 } from './x509.ts';

/** An authority that can sign. */
export interface Issuer {
  /** Its certificate, as DER. */
  readonly certificate: Uint8Array<ArrayBuffer>;
  /** Its private key, as PKCS #8 in DER. A secret. */
  readonly private_key: Uint8Array<ArrayBuffer>;
}

/** An issuer that was read once, so that each signature costs no more than the signature. */
export interface OpenIssuer {
  readonly certificate: x509.X509Certificate;
  readonly key: CryptoKey;
  /** The key, its name and its identifier once more, for what is not made by the generators of the library. */
  readonly private_key: KeyObject;
  readonly subject: Name;
  readonly key_id_schema: Extension;
  /** What its certificates and lists name it by. */
  readonly key_id: x509.AuthorityKeyIdentifierExtension;
}

export async function openIssuer({ certificate, private_key }: Issuer): Promise<OpenIssuer> {
  const own = new x509.X509Certificate(certificate);
  const subject_key = own.getExtension(x509.SubjectKeyIdentifierExtension);
  if (subject_key === null) throw new Error(`the authority ${own.subject} has no key identifier`);
  const key = createPrivateKey({ key: Buffer.from(private_key), format: 'der', type: 'pkcs8' });
  const key_id = new x509.AuthorityKeyIdentifierExtension(subject_key.keyId);
  return {
    certificate: own,
    key: signingKey(key),
    private_key: key,
    subject: AsnConvert.parse(own.subjectName.toArrayBuffer(), Name),
    key_id,
    key_id_schema: asSchema(key_id),
  };
}

interface NewKey {
  /** PKCS #8 in DER. A secret. */
  readonly private_key: Buffer<ArrayBuffer>;
  readonly pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
}

const makePair = promisify(generateKeyPair);

export async function newSigningKey(): Promise<NewKey> {
  const { privateKey, publicKey } = await makePair('ec', { namedCurve: SIGNING.namedCurve });
  return {
    private_key: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'der' })),
    pair: signingPair(privateKey, publicKey),
  };
}

export function signingPair(private_key: KeyObject, public_key: KeyObject): NewKey['pair'] {
  return {
    privateKey: signingKey(private_key),
    publicKey: public_key.toCryptoKey(SIGNING, true, ['verify']) as CryptoKey,
  };
}

/** Without a way around by its text: OpenSSL takes a millisecond to read one. */
function signingKey(key: KeyObject): CryptoKey {
  return key.toCryptoKey(SIGNING, false, ['sign']) as CryptoKey;
}
