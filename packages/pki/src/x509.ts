/** The library, set up once. Everything here that needs it imports it from this file. */
import 'reflect-metadata'; // before the library, which is made of decorators
import * as x509 from '@peculiar/x509';

export { x509 };
/** As the library names it: Node's own type and that of browsers differ in what they list. */
export type CryptoKey = x509.X509CertificateCreateWithKeyParams['signingKey'];

/** What all our authorities and nodes sign with: ECDSA over P-256, which every TLS stack takes (docs/decisions/0057). */
export const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
