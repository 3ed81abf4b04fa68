import type { ActorRef } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** The policy in effect. There is one, `mesh`. Absent: that of a new mesh (`mesh/policy-in-effect.ts`). */
export interface PolicyDocument {
  readonly version: number;
  /** As it was written. */
  readonly text: string;
  readonly sha256: string;
  readonly created_at: string;
  readonly created_by: ActorRef;
  readonly note: string | null;
  readonly restored_from: number | null;
  /** Places of the grants that have expired. */
  readonly lapsed: readonly number[];
}

export interface PolicyDocuments {
  readonly policy: PolicyDocument;
}

export const policyKinds: KindRows<PolicyDocuments> = {
  policy: { audited: true, secret: [], bulky: ['text'], restorable: true },
};
