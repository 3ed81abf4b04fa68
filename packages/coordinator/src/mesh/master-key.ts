import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';

/** Seals what must be secret at rest. Lives in a file beside the store, never in it. */
export type MasterKey = KeyObject;

const KEY_BYTES = 32;

export async function loadMasterKey(file: string): Promise<MasterKey> {
  const text = await readPrivateFile(file);
  if (text === undefined) {
    const fresh = randomBytes(KEY_BYTES);
    await writePrivateFile(file, `${fresh.toString('base64url')}\n`, { replace: false });
    return createSecretKey(fresh);
  }
  const bytes = Buffer.from(text.trim(), 'base64url');
  if (bytes.length !== KEY_BYTES) {
    throw new Error(
      `${file} is not a master key: it must hold ${KEY_BYTES} bytes in base64url, and holds ${bytes.length}.`,
    );
  }
  return createSecretKey(bytes);
}

/** Says which key it is without telling the key. */
export function checkOf(key: MasterKey): string {
  return createHmac('sha256', key).update('meshwork master key').digest('hex').slice(0, 16);
}
