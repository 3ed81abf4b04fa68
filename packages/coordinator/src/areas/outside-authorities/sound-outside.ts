/** What no schema can say of an outside authority. All that is wrong is said at once. */
import { X509Certificate } from 'node:crypto';
import { type FieldError, MeshError, OWN_INGRESS_CERTIFICATES } from '@meshwork/contract';

interface Given {
  readonly name?: string;
  readonly directory?: string;
  readonly staging_directory?: string | null;
  readonly roots?: string | null;
  readonly eab_key_id?: string;
  readonly eab_key?: string;
  readonly agree_terms?: boolean;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_ROOTS = 10;

export function ensureSoundOutside(given: Given): void {
  const errors: FieldError[] = [];
  const wrong = (pointer: string, detail: string) => void errors.push({ pointer, detail });
  if (OWN_INGRESS_CERTIFICATES.some((own) => own === given.name)) {
    wrong('/name', `cannot be "${given.name}", which means something else to an ingress`);
  }
  for (const [pointer, text] of [
    ['/directory', given.directory],
    ['/staging_directory', given.staging_directory],
  ] as const) {
    const why = text === undefined || text === null ? undefined : whyNoDirectory(text);
    if (why !== undefined) wrong(pointer, why);
  }
  if (given.staging_directory !== undefined && given.staging_directory === given.directory) {
    wrong('/staging_directory', 'is the directory itself; leave it out where there is no other');
  }
  if (typeof given.roots === 'string' && !areCertificates(given.roots)) {
    wrong('/roots', `has to be 1 to ${MAX_ROOTS} certificates in PEM, and nothing else`);
  }
  if ((given.eab_key_id === undefined) !== (given.eab_key === undefined)) {
    wrong(given.eab_key === undefined ? '/eab_key' : '/eab_key_id', 'is missing; the one needs the other');
  }
  if (given.agree_terms === false) wrong('/agree_terms', 'has to be true: without it the authority makes no account');
  if (errors.length === 0) return;
  const text = errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ');
  throw new MeshError('invalid', `${text}.`, { errors });
}

function whyNoDirectory(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) return 'is no address';
  if (url.username !== '' || url.password !== '') return 'cannot have credentials in it';
  return url.hash === '' ? undefined : 'cannot have a fragment';
}

function areCertificates(pem: string): boolean {
  const blocks = pem.match(BLOCK) ?? [];
  if (blocks.length === 0 || blocks.length > MAX_ROOTS || pem.replaceAll(BLOCK, '').trim() !== '') return false;
  try {
    for (const block of blocks) new X509Certificate(block);
    return true;
  } catch {
    return false;
  }
}
