import type { ActorRef, Scope } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

export interface DnsDocument {
  /** Below the domain of the mesh. Held by a claim, so that no node and no other record has it too. */
  readonly name: string;
  /** Empty: it is an alias. */
  readonly addresses: readonly string[];
  /** Null: it has addresses. */
  readonly cname: string | null;
  readonly scope: Scope;
  readonly note: string | null;
  readonly created_at: string;
  readonly created_by: ActorRef;
}

export interface DnsDocuments {
  readonly dns: DnsDocument;
}

export const dnsKinds: KindRows<DnsDocuments> = {
  dns: { audited: true, secret: [], restorable: true },
};
