import { checkOf, type MasterKey, readMasterKey, readOrMakeMasterKey } from '@meshwork/service';
import { SETUP } from './ledger/documents.ts';
import type { Ledger } from './ledger/ledger.ts';

/** The key that seals secrets in the ledger. Only a panel that was never started gets a new one: another could open nothing. */
export async function panelKeyOf(ledger: Ledger, file: string): Promise<MasterKey> {
  const setup = ledger.get('setup', SETUP)?.body;
  if (setup === undefined) return readOrMakeMasterKey(file);
  const key = await readMasterKey(file);
  if (key === undefined) {
    throw new Error(`The key file ${file} is missing, and the panel's store needs it. Restore it from your backup.`);
  }
  if (setup.key_check === checkOf(key)) return key;
  throw new Error(`${file} holds the key of another panel than the store. Put the right one there.`);
}
