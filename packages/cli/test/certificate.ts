import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate that signs itself, good for a day, and its key. `about`: what `openssl req` is to put into it. */
export async function certificateIn(
  folder: string,
  ...about: readonly string[]
): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = ['-newkey', 'ed25519', '-days', '1', '-nodes', '-keyout', key, '-out', cert];
  await promisify(execFile)('openssl', ['req', '-x509', ...about, ...made]);
  return { cert, key };
}
