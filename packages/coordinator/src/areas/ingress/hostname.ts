import { type IngressId, MeshError } from '@meshwork/contract';
import { hostnameClaim } from '../../mesh/ingress-certificates.ts';
import type { Transaction } from '../../mesh/transaction.ts';

/**
 * A host name leads to one ingress in the whole mesh. A caller that requests one that is taken learns no more than
 * that: the ingress that has it may lie outside its scope.
 */
export function claimHostname(tx: Transaction, hostname: string, holder: IngressId): void {
  if (tx.get('claim', hostnameClaim(hostname)) !== undefined) {
    throw new MeshError('already_exists', `The host name "${hostname}" is taken.`);
  }
  tx.put('claim', hostnameClaim(hostname), { holder });
}

export function freeHostname(tx: Transaction, hostname: string): void {
  tx.delete('claim', hostnameClaim(hostname));
}
