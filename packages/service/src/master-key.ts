import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { createPrivateFile, readPrivateFile } from './private-file.ts';

/** Seals what must be secret at rest. Lives in a file beside the store, never in it. */
export type MasterKey = KeyObject;

const KEY_BYTES = 32;

/** A file that is there and holds no key: cut short, or something else. */
export class NotAMasterKey extends Error {}

/** The only key that a file holds; absent (undefined) when there is no file. */
export async function readMasterKey(file: string): Promise<MasterKey | undefined> {
  const [key, ...more] = (await readMasterKeys(file)) ?? [];
  if (more.length === 0) return key;
  throw new NotAMasterKey(`${file} holds ${more.length + 1} keys, and must hold one.`);
}

/** The keys that a file holds, one on each line; absent (undefined) when there is no file. */
export async function readMasterKeys(file: string): Promise<readonly MasterKey[] | undefined> {
  const text = await readPrivateFile(file);
  if (text === undefined) return undefined;
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  return (lines.length === 0 ? [''] : lines).map((line, place) => {
    const bytes = Buffer.from(line, 'base64url');
    if (bytes.length === KEY_BYTES) return createSecretKey(bytes);
    const where = lines.length > 1 ? `Line ${place + 1} of ${file}` : file;
    throw new NotAMasterKey(
      `${where} is not a master key: it must hold ${KEY_BYTES} bytes in base64url, and holds ${bytes.length}.`,
    );
  });
}

/** The key that a file holds, made when there is none. Only for a first start: to a store in use a new key is useless. */
export async function readOrMakeMasterKey(file: string): Promise<MasterKey> {
  const found = await readMasterKey(file);
  if (found !== undefined) return found;
  await createPrivateFile(file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  // The file on disk counts: a concurrent first start may have written it.
  const made = await readMasterKey(file);
  if (made === undefined) throw new Error(`${file} was removed just after it was made. Start again.`);
  return made;
}

/** Says which key it is without telling the key. */
export function checkOf(key: MasterKey): string {
  return createHmac('sha256', key).update('meshwork master key').digest('hex').slice(0, 16);
}
