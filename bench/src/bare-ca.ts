/**
 * The X.509 library alone, as a process of its own: reads requests, checks their signatures and signs certificates with the same
 * extensions as the coordinator's, or makes one revocation list. Reports what that took; nothing is kept, checked for permission or sent.
 */
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 24 * 3600 * 1000;
/** As the coordinator does. */
const AT_ONCE = 50;

type Keys = Pick<x509.X509CertificateCreateSelfSignedParams, 'keys'>['keys'];
const newKeys = async () => (await webcrypto.subtle.generateKey(SIGNING, true, ['sign', 'verify'])) as unknown as Keys;
const serial = () => randomBytes(16).toString('hex');
const from = new Date();
const to = new Date(from.getTime() + DAY_MS);

const keys = await newKeys();
const authority = await x509.X509CertificateGenerator.createSelfSigned({
  name: 'CN=bare',
  keys,
  signingAlgorithm: SIGNING,
  extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
});
const key_id = await x509.AuthorityKeyIdentifierExtension.create(authority);

const [what, count] = [process.argv[2], Number(process.argv[3])];
const took = what === 'list' ? await list() : await certificates();
process.send?.(took);
process.once('SIGTERM', () => process.disconnect?.());

async function certificates() {
  const requests = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const made = await x509.Pkcs10CertificateRequestGenerator.create({
        keys: await newKeys(),
        signingAlgorithm: SIGNING,
      });
      return made.toString('pem');
    }),
  );
  const batch = () => Promise.all(requests.map(sign));
  for (let done = 0; done < count / 4; done += AT_ONCE) await batch(); // warm before anything counts
  return await measured(async () => {
    for (let done = 0; done < count; done += AT_ONCE) await batch();
  });
}

async function sign(pem: string): Promise<void> {
  const request = new x509.Pkcs10CertificateRequest(pem);
  if (!(await request.verify())) throw new Error('the request is not signed by its key');
  await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: 'CN=bench-1.mesh',
    issuer: authority.subjectName,
    notBefore: from,
    notAfter: to,
    signingAlgorithm: SIGNING,
    signingKey: keys.privateKey,
    publicKey: request.publicKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'bench-1.mesh' },
        { type: 'ip', value: '100.64.0.1' },
        { type: 'ip', value: 'fd00::1' },
        { type: 'url', value: 'spiffe://0123456789abcdef.mesh/node/bench-1' },
      ]),
      await x509.SubjectKeyIdentifierExtension.create(request.publicKey),
      key_id,
    ],
  });
}

async function list() {
  const entries = Array.from({ length: count }, () => ({ serialNumber: serial(), revocationDate: from }));
  return await measured(async () => {
    await x509.X509CrlGenerator.create({
      issuer: authority.subjectName,
      thisUpdate: from,
      nextUpdate: to,
      signingAlgorithm: SIGNING,
      signingKey: keys.privateKey,
      extensions: [key_id],
      entries,
    });
  });
}

async function measured(work: () => Promise<void>): Promise<{ readonly cpu_s: number }> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu_s: (user + system) / 1e6 };
}
