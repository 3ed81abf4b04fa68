import { hash } from 'node:crypto';
import type { View } from './model.ts';

/** The id of the one installation document. */
export const INSTALLATION_ID = 'mesh';

const ID_DIGITS = 26;

/**
 * Names this mesh among all: node proofs are made for it and for no other. It follows from what the first start wrote, so
 * that meshes of older versions have had it all along, every coordinator knows the same one, and a restored backup keeps it.
 * Undefined: nothing is installed yet.
 */
export function meshIdOf(view: View): string | undefined {
  const installation = view.get('installation', INSTALLATION_ID)?.body;
  if (installation === undefined) return undefined;
  let id = ids.get(installation);
  if (id === undefined) {
    const { created_at, master_key_check } = installation;
    id = `mesh_${hash('sha256', `mesh id ${created_at} ${master_key_check}`).slice(0, ID_DIGITS)}`;
    ids.set(installation, id);
  }
  return id;
}
const ids = new WeakMap<object, string>();
