/** Signs an intermediate where the key of the root is: on a machine without a coordinator. */
import { createPrivateKey } from 'node:crypto';
import { authorityExtensions } from './authority.ts';
import { readConstraints } from './constraints.ts';
import { type OpenIssuer, openIssuer } from './issuer.ts';
import { derOf, pemBlocks, pemOf } from './pem.ts';
import { makeRevocationList } from './revocation-list.ts';
import { newSerial } from './serial.ts';
import { SIGNING, x509 } from './x509.ts';

const DAY_MS = 24 * 3600 * 1000;
const BACKDATED_MS = 60_000;
/** The list outlives the intermediate, for programs whose clock is slow. */
const SLACK_MS = 7 * DAY_MS;

/** Why it could not be signed, in words for an operator. */
export class SigningFault extends Error {}

export interface RootFile {
  /** PKCS #8 in DER. A secret. */
  readonly private_key: Buffer<ArrayBuffer>;
  /** DER. */
  readonly certificate: Buffer<ArrayBuffer>;
}

/** Opens what was exported: the encrypted key of the root and its certificate, in one text. */
export function openRootFile(text: string, passphrase: string): RootFile {
  const [key] = pemBlocks('ENCRYPTED PRIVATE KEY', text);
  const certificate = derOf(['CERTIFICATE'], pemBlocks('CERTIFICATE', text)[0] ?? '');
  if (key === undefined || certificate === undefined) {
    throw new SigningFault('it has no encrypted private key and certificate of a root in it');
  }
  try {
    const opened = createPrivateKey({ key, passphrase });
    return { private_key: Buffer.from(opened.export({ type: 'pkcs8', format: 'der' })), certificate };
  } catch (error) {
    throw new SigningFault('the passphrase does not open its key', { cause: error });
  }
}

/** The certificate for a request, and a revocation list of the root that is good for longer, both in PEM. */
export async function signIntermediate(
  root_file: RootFile,
  { request, days, now_ms }: { readonly request: string; readonly days: number; readonly now_ms: number },
): Promise<{ readonly certificate: string; readonly revocation_list: string; readonly not_after: Date }> {
  const root = await openIssuer(root_file);
  const read = await readIntermediateRequest(request);
  const now = Math.floor(now_ms / 1000) * 1000;
  const ends_ms = root.certificate.notAfter.getTime();
  if (ends_ms <= now) throw new SigningFault(`the root expired at ${root.certificate.notAfter.toISOString()}`);
  const not_after = new Date(Math.min(now + days * DAY_MS, ends_ms));
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: read.subjectName,
    issuer: root.certificate.subjectName,
    notBefore: new Date(now - BACKDATED_MS),
    notAfter: not_after,
    signingAlgorithm: SIGNING,
    signingKey: root.key,
    publicKey: read.publicKey,
    extensions: await extensionsFor(root, read.publicKey),
  });
  const list = makeRevocationList(root, {
    number: now_ms,
    made_at: new Date(now),
    next_at: new Date(Math.min(not_after.getTime() + SLACK_MS, ends_ms)),
    revoked: [],
  });
  return {
    certificate: pemOf('CERTIFICATE', new Uint8Array(certificate.rawData)),
    revocation_list: pemOf('X509 CRL', list),
    not_after,
  };
}

async function readIntermediateRequest(pem: string): Promise<x509.Pkcs10CertificateRequest> {
  const der = derOf(['CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'], pem);
  if (der === undefined) throw new SigningFault('the request is not PEM with one CERTIFICATE REQUEST in it');
  const request = readOrFault(der);
  if (!(await request.verify())) throw new SigningFault('the request is not signed by the key that is in it');
  return request;
}

function readOrFault(der: Buffer<ArrayBuffer>): x509.Pkcs10CertificateRequest {
  try {
    return new x509.Pkcs10CertificateRequest(der);
  } catch (error) {
    throw new SigningFault('the request cannot be read as PKCS #10', { cause: error });
  }
}

/** What the root says, and not what the request asks for: the root can certify nothing else. */
async function extensionsFor(root: OpenIssuer, publicKey: x509.PublicKey): Promise<x509.Extension[]> {
  const constraints = readConstraints(root.certificate);
  if ('fault' in constraints) throw new SigningFault(`the root ${constraints.fault}`);
  return [...(await authorityExtensions({ constraints }, { levels_below: 0, publicKey })), root.key_id];
}
