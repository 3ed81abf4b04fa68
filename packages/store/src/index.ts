/**
 * The journal: what the coordinator knows, kept on disk. Documents with one revision for the whole mesh, append-only
 * logs (chained by hash where asked), signs of life, observations in bulk, and leadership among coordinators. Only this
 * package knows SQL.
 *
 * Start reading at `journal.ts`, the interface, against which `test/journal-contract.ts` tests both stores. Then
 * `sqlite/sqlite-journal.ts` (one coordinator, embedded) or `postgres/postgres-journal.ts` (any number of them).
 */
export { requireStorable } from './batch.ts';
export type * from './journal.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export { MESSAGE_LIMIT, NAME_LIMIT } from './storable.ts';
export { StoreError } from './store-error.ts';
