import type { KindRows } from './kind-row.ts';

/** A custom role; its id is its name. The built-in ones stand in the contract and are not documents. */
export interface RoleDocument {
  readonly description: string;
  readonly permissions: readonly string[];
}

export interface RoleDocuments {
  readonly role: RoleDocument;
}

export const roleKinds: KindRows<RoleDocuments> = {
  role: { audited: true, secret: [], restorable: true },
};
