import { type IngressId, MeshError } from '@meshwork/contract';
import { hostnameClaim } from '../../mesh/ingress-certificates.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';

type Named = Pick<WholeIngress, 'kind' | 'hostname'>;

/**
 * A host name leads to one ingress in the whole mesh, where gateways tell ingresses apart by it. A caller that requests one that
 * is taken learns no more than that: the ingress that has it may lie outside its scope.
 */
export function claimHostname(tx: Transaction, ingress: Named, holder: IngressId): void {
  if (!isKnownByHostname(ingress)) return;
  const { hostname } = ingress;
  if (tx.get('claim', hostnameClaim(hostname)) !== undefined) {
    throw new MeshError('already_exists', `The host name "${hostname}" is taken.`);
  }
  tx.put('claim', hostnameClaim(hostname), { holder });
}

export function freeHostname(tx: Transaction, ingress: Named): void {
  if (isKnownByHostname(ingress)) tx.delete('claim', hostnameClaim(ingress.hostname));
}

/** The others are known by their port, and several may be on one host. */
function isKnownByHostname({ kind }: Named): boolean {
  return kind === 'http' || kind === 'tls';
}
