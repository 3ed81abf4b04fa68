import type { CertificateProfile } from '@meshwork/contract';
import type { KeyType, Usage } from '@meshwork/pki';

interface Profile {
  readonly usages: readonly Usage[];
  readonly key_types: readonly KeyType[];
}

const SMALL: readonly KeyType[] = ['EC P-256', 'EC P-384', 'Ed25519'];
const ANY: readonly KeyType[] = [...SMALL, 'RSA 2048', 'RSA 3072', 'RSA 4096'];

/** What certificates of a profile are good for, and which keys they may have. Their names are in `granted-names.ts`. */
export const PROFILES: Readonly<Record<CertificateProfile, Profile>> = {
  node: { usages: ['server', 'client'], key_types: SMALL },
  server: { usages: ['server'], key_types: ANY },
  client: { usages: ['client'], key_types: ANY },
  ingress: { usages: ['server'], key_types: ANY },
};
