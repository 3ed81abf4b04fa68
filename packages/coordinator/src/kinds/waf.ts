import type { WafPolicy } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** A WAF policy. What is derived from other documents and from heartbeats is only in its record. */
export type WafDocument = Readonly<Omit<WafPolicy, 'id' | 'used_by' | 'gateways' | 'revision'>>;

export interface WafDocuments {
  readonly waf: WafDocument;
}

export const wafKinds: KindRows<WafDocuments> = {
  waf: { audited: true, secret: [], restorable: true },
};
