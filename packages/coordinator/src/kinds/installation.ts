import type { KindRows } from './kind-row.ts';

/** Written once, by the very first start. There is one, `mesh`. */
interface InstallationDocument {
  readonly created_at: string;
  /** Tells a coordinator that was given another installation's master key. */
  readonly master_key_check: string;
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
  installation: { audited: true, secret: ['master_key_check'], restorable: false },
  answer: { audited: false, secret: ['sealed'], restorable: false },
};
