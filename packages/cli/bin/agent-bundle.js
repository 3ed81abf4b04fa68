// The agent as one bundle of plain JavaScript, which `src/build-agent.ts` writes. It takes 20 MB less than the sources:
// Node need not strip types, nor keep some 200 modules. Plain JavaScript itself, because `mesh.js` decides with it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Beside the bundle: each file that it was made from, and its hash. */
export const INPUTS = 'inputs.json';
export const ENTRY = 'agent-main.js';

/** The bundle's entry. Undefined: there is none, or it was made from other sources than those that are here now. */
export function freshBundle(folder, root) {
  try {
    const inputs = JSON.parse(readFileSync(join(folder, INPUTS), 'utf8'));
    const isFresh = Object.entries(inputs).every(([file, hash]) => hashOf(join(root, file)) === hash);
    return isFresh ? join(folder, ENTRY) : undefined;
  } catch {
    return undefined; // unreadable or incomplete: the sources always work
  }
}

export function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
