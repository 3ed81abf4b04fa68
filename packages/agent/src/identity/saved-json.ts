import { join } from 'node:path';
import { readPrivate, writeAtomically } from '../host/atomic-file.ts';
import { StateError } from '../host/state-error.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A file of the state folder that must make sense: one that does not is an error that names it, never a reason to begin
 * anew. `read` answers with what the fields mean, or with undefined when they mean nothing.
 */
export async function loadJson<T>(
  folder: string,
  name: string,
  read: (fields: Fields) => T | undefined,
): Promise<T | undefined> {
  const file = join(folder, name);
  const text = await readPrivate(file).catch((error: Error) => {
    throw new StateError('unfit', error.message, error);
  });
  if (text === undefined) return undefined;
  const value = read(fieldsOf(text) ?? {});
  if (value !== undefined) return value;
  // Nothing of the text is repeated: it holds a private key.
  throw new StateError(
    'corrupt',
    `${file} is damaged or of another version. Restore it from a backup, or give up this identity with \`mesh agent reset --forget\` and enrol anew.`,
  );
}

export function saveJson(folder: string, name: string, value: object): Promise<void> {
  return writeAtomically(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
}

function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
