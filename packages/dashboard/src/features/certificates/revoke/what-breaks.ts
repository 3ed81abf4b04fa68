/** What revoking a certificate breaks, a sentence each. */
import type { Certificate } from '@meshwork/contract';
import { nameOf, nodeNamesIn } from '../certificate-words.ts';

type Revoked = Pick<Certificate, 'names' | 'serial' | 'profile' | 'current' | 'nodes'>;

export function whatBreaks(certificate: Revoked): readonly string[] {
  const { names, profile, current } = certificate;
  const all = [...names.dns, ...names.addresses, ...names.uris];
  return [
    'It is revoked for good. Every node has the new revocation list within a heartbeat.',
    `It names ${all.length === 0 ? certificate.serial : all.join(', ')}${ofNodes(certificate)}.`,
    profile === 'node' ? ofNode(certificate) : ofService(profile, current),
  ];
}

function ofNodes(certificate: Revoked): string {
  const nodes = nodeNamesIn(certificate);
  if (nodes.length === 0) return '';
  return nodes.length === 1 ? `, of node ${nodes[0]}` : `, of nodes ${nodes.join(', ')}`;
}

function ofNode(certificate: Revoked): string {
  const node = nodeNamesIn(certificate)[0] ?? nameOf(certificate);
  return certificate.current
    ? `${node} uses it now, and gets another one at once. To cut the node off, quarantine it instead.`
    : `${node} no longer uses it: it has a newer one.`;
}

function ofService(profile: 'server' | 'client' | 'ingress', current: boolean): string {
  if (!current) return 'A newer certificate has the same names. What still uses this one is refused.';
  return profile !== 'client'
    ? 'It is the newest with these names. Clients that check revocation refuse the service until it has another one.'
    : 'It is the newest with these names. Services that check revocation refuse the program until it has another one.';
}
