import type { FirewallRule } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

/** The host rules, in order. There is one, `mesh`. Absent: there are none. */
export interface FirewallDocument {
  readonly rules: readonly Omit<FirewallRule, 'position'>[];
}

export interface FirewallDocuments {
  readonly firewall: FirewallDocument;
}

export const firewallKinds: KindRows<FirewallDocuments> = {
  firewall: { audited: true, secret: [], restorable: true },
};
