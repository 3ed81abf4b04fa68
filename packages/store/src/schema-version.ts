import { StoreError } from './store-error.ts';

/** A newer program may have changed what the tables mean, so an older one must not touch them. */
export function refuseNewer(where: string, found: number, known: number): void {
  if (found <= known) return;
  throw new StoreError(
    'newer',
    `${where} was written by a newer version of Meshwork: its schema is version ${found}, this program knows up to ` +
      `version ${known}. Run the newer version, or restore a backup made before the upgrade.`,
  );
}
