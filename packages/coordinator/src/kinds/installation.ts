import type { KindRows } from './kind-row.ts';

/** Written by the very first start, and when the master key is turned over. There is one, `mesh`. */
interface InstallationDocument {
  readonly created_at: string;
  /** Names the first master key. It never changes: the id of the mesh and its IPv6 prefix follow from it. */
  readonly master_key_check: string;
  /** Names the master key that seals. Absent: it was never turned over, and the first one does. */
  readonly sealed_by?: string;
  /** What sessions and kept answers are derived from, newest first, each sealed. Absent: from the first master key itself. */
  readonly data_keys?: readonly { readonly key: string; readonly made_at: string }[];
}

/** What a request with an Idempotency-Key was answered, sealed, so that the same request gets the same answer. */
interface AnswerDocument {
  readonly request_sha256: string;
  readonly sealed: string;
  readonly at_ms: number;
}

export interface InstallationDocuments {
  readonly installation: InstallationDocument;
  readonly answer: AnswerDocument;
}

export const installationKinds: KindRows<InstallationDocuments> = {
  installation: { audited: true, secret: ['master_key_check', 'data_keys'], restorable: false },
  answer: { audited: false, secret: ['sealed'], restorable: false },
};
