import type { Journal } from './journal.ts';
import type { ObservingOptions } from './observation-buffer.ts';
import { openPostgres, type PostgresOptions } from './postgres/postgres-journal.ts';
import type { SqliteOptions } from './sqlite/database.ts';
import { openSqlite } from './sqlite/sqlite-journal.ts';
import { StoreError } from './store-error.ts';

export interface StoreOptions {
  readonly sqlite?: SqliteOptions;
  readonly postgres?: PostgresOptions;
  readonly observing?: ObservingOptions;
}

/** Opens `sqlite:<path>` or `postgres://…`, creating or upgrading what is inside. The caller closes it. */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Journal> {
  if (/^postgres(ql)?:\/\//.test(address)) return openPostgres(address, options.postgres ?? {}, options.observing);
  const path = /^sqlite:(.+)$/s.exec(address)?.[1];
  if (path !== undefined) return openSqlite(path, options.sqlite ?? {}, options.observing);
  // Only the scheme is named: the rest of a mistyped address may hold a password.
  const scheme = /^[a-z+]*:/i.exec(address)?.[0] ?? 'one without a scheme';
  throw new StoreError('misuse', `a store's address is sqlite:<path> or postgres://…, and not ${scheme}`);
}
