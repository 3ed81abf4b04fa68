import { generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  type CertificateNames,
  issueCertificate,
  makeIntermediate,
  makeRevocationList,
  makeRoot,
  openIssuer,
  readRequest,
  type Usage,
} from '@meshwork/pki';
import { pemOf } from '@meshwork/pki/text';

const DAY_MS = 86_400_000;
const CONSTRAINTS = { domains: ['mesh'], networks: ['100.64.0.0/10'], trust_domain: 'mesh' };

interface ClientWanted {
  readonly names: Partial<CertificateNames>;
  readonly usages?: readonly Usage[];
  readonly not_after?: Date;
}

/** A real certificate authority, as a coordinator has one. */
export async function meshCa(name = 'mesh') {
  const life = { not_before: new Date(Date.now() - DAY_MS), not_after: new Date(Date.now() + 365 * DAY_MS) };
  const wanted = () => ({ ...life, serial: serial(), constraints: CONSTRAINTS });
  const rootFiles = await makeRoot({ ...wanted(), name: `${name} root` });
  const root = await openIssuer(rootFiles);
  const intermediateFiles = await makeIntermediate(root, { ...wanted(), name: `${name} intermediate` });
  const intermediate = await openIssuer(intermediateFiles);
  const intermediate_pem = pemOf('CERTIFICATE', intermediateFiles.certificate);
  return {
    root: pemOf('CERTIFICATE', rootFiles.certificate),
    intermediate: intermediate_pem,
    /** The chain for a request of a node. */
    sign: async (request: string, not_after = new Date(Date.now() + DAY_MS)): Promise<string> => {
      const read = await readRequest(request);
      if ('faults' in read) throw new Error(read.faults.join());
      const leaf = issueCertificate(intermediate, {
        public_key: read.public_key,
        names: { dns: ['git-1.mesh'], addresses: ['100.64.0.7'], uris: [] },
        usages: ['server', 'client'],
        serial: serial(),
        not_before: life.not_before,
        not_after,
      });
      return pemOf('CERTIFICATE', leaf) + intermediate_pem;
    },
    /** A certificate with its key, as a program that calls services has it. */
    client: ({ names, usages = ['client'], not_after = new Date(Date.now() + DAY_MS) }: ClientWanted) => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const number = serial();
      const leaf = issueCertificate(intermediate, {
        public_key: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
        names: { dns: [], addresses: [], uris: [], ...names },
        usages,
        serial: number,
        not_before: life.not_before,
        not_after,
      });
      const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { cert: pemOf('CERTIFICATE', leaf) + intermediate_pem, key, serial: number };
    },
    /** The lists of both authorities. */
    lists: (revoked: readonly string[] = [], next_at = life.not_after): readonly string[] => {
      const list = { number: 1, made_at: life.not_before, next_at };
      const all = revoked.map((one) => ({ serial: one, at: new Date(), reason: 'superseded' as const }));
      return [
        pemOf('X509 CRL', makeRevocationList(root, { ...list, revoked: [] })),
        pemOf('X509 CRL', makeRevocationList(intermediate, { ...list, revoked: all })),
      ];
    },
    revocationList: async (number = 1): Promise<string> => {
      const revoked = [{ serial: serial(), at: new Date(), reason: 'superseded' } as const];
      const list = { number, made_at: new Date(), next_at: life.not_after, revoked };
      return pemOf('X509 CRL', makeRevocationList(intermediate, list));
    },
  };
}

/** Positive, and of full length. */
function serial(): string {
  return `4${randomBytes(15).toString('hex')}0`;
}
