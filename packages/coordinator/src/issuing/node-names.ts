import { anyContains, parseNetwork } from '@meshwork/addresses';
import { MESH_DOMAIN } from '@meshwork/contract';
import type { CertificateNames, Constraints } from '@meshwork/pki';
import type { NodeDocument } from '../kinds/nodes.ts';

/** The SPIFFE id of a node. Those of its services are below it. */
export function spiffeIdOf(node: Pick<NodeDocument, 'name'>, { trust_domain }: Constraints): string {
  return `spiffe://${trust_domain}/node/${node.name}`;
}

/**
 * What the certificate of a node says. An address outside of what the authority can certify is left out, as every program would
 * refuse the whole certificate for it: that of a node which is older than the address pool.
 */
export function namesOfNode(node: NodeDocument, constraints: Constraints): CertificateNames {
  const networks = constraints.networks.flatMap((text) => parseNetwork(text) ?? []);
  return {
    dns: [`${node.name}.${MESH_DOMAIN}`],
    addresses: [node.address, node.address6].filter((address) => anyContains(networks, address)),
    uris: [spiffeIdOf(node, constraints)],
  };
}
