/**
 * Documents in memory and the one way to change them, for any table of kinds. `model.ts` holds what was committed, a
 * `transaction.ts` sees it with changes that are not, and `writer.ts` commits transactions together with their log entries.
 * `document-store.ts` puts them together: the mesh of the coordinator and the ledger of the panel both extend it.
 */
export { DocumentStore } from './document-store.ts';
export { type Changed, type KindOf, Model, type ModelWatch, type Put, type Stored, type View } from './model.ts';
export { type Place, type TrackedPut, Transaction } from './transaction.ts';
export type { WriterWatch } from './writer.ts';
