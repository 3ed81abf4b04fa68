import { readFile } from 'node:fs/promises';
import { identityKeyOf, type KeyPair } from '@meshwork/agent';
import { writeWhole } from './write-whole.ts';

/** What makes a simulated node come back as itself. */
export interface FleetIdentity {
  readonly node: string;
  readonly name: string;
  readonly key: KeyPair;
  readonly interval_s: number;
  /** The id of its mesh. Absent: saved by an older version. */
  readonly audience?: string | undefined;
}

interface SavedFleet {
  readonly version: 1;
  readonly nodes: readonly {
    readonly node: string;
    readonly name: string;
    readonly key: string;
    readonly interval_s: number;
    readonly audience?: string | undefined;
  }[];
}

/** Absent: there is no such file yet. */
export async function loadIdentities(file: string): Promise<FleetIdentity[] | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const saved = parse(text, file);
  return saved.nodes.map(({ key, ...rest }) => ({ ...rest, key: identityKeyOf(key) }));
}

/** Whole or not at all, and readable by its owner alone: it has the private keys. */
export async function saveIdentities(file: string, identities: readonly FleetIdentity[]): Promise<void> {
  const nodes = identities.map(({ key, ...rest }) => ({ ...rest, key: key.private }));
  await writeWhole(file, `${JSON.stringify({ version: 1, nodes } satisfies SavedFleet)}\n`);
}

function parse(text: string, file: string): SavedFleet {
  try {
    const saved = JSON.parse(text) as Partial<SavedFleet>;
    if (saved.version === 1 && Array.isArray(saved.nodes)) return saved as SavedFleet;
  } catch {
    // Said below, without the parser's words: they repeat what is in the file, and those are keys.
  }
  throw new Error(`${file} is not a saved fleet`);
}
