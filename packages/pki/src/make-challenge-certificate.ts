import { hash } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { ACME_IDENTIFIER } from './challenge-certificate.ts';
import { newSigningKey } from './issuer.ts';
import { pemOf } from './pem.ts';
import { newSerial } from './serial.ts';
import { bytes } from './signed.ts';
import { SIGNING, x509 } from './x509.ts';

export interface ChallengeAnswer {
  readonly hostname: string;
  /** What the authority has to find: the token, and the thumbprint of the account's key. */
  readonly key_authorization: string;
  readonly now_ms: number;
}

interface MadeChallengeCertificate {
  /** PKCS #8 in PEM. It is worth nothing beyond the challenge. */
  readonly private_key: string;
  /** In PEM. */
  readonly certificate: string;
}

const DAY_MS = 86_400_000;
const SUBJECT = 'CN=ACME challenge';

/** What is shown for `tls-alpn-01`: signed by itself, with the name and the digest of the answer in it, and nothing else (RFC 8737, 3). */
export async function makeChallengeCertificate(answer: ChallengeAnswer): Promise<MadeChallengeCertificate> {
  const { hostname, key_authorization, now_ms } = answer;
  const { private_key, pair } = await newSigningKey();
  const digest = new OctetString(bytes(hash('sha256', key_authorization, 'buffer')));
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    keys: pair,
    signingAlgorithm: SIGNING,
    serialNumber: newSerial(),
    name: SUBJECT,
    notBefore: new Date(now_ms - DAY_MS), // whose clock is behind takes it too
    notAfter: new Date(now_ms + DAY_MS),
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: hostname }]),
      new x509.Extension(ACME_IDENTIFIER, true, AsnConvert.serialize(digest)),
    ],
  });
  return {
    private_key: pemOf('PRIVATE KEY', private_key),
    certificate: pemOf('CERTIFICATE', new Uint8Array(certificate.rawData)),
  };
}
