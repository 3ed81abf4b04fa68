import type { CertificateFacts } from './facts.ts';
import { beyond, type End, type Finding, type Way } from './way.ts';

/**
 * What keeps programs at the two ends from TLS with their certificates of the mesh CA. Packets pass whatever it says, so it decides nothing.
 * Undefined: nothing is known to, or the question is not about TCP between two nodes that may be seen.
 */
export function checkCertificate(way: Way): Finding | undefined {
  const { source, target, wanted } = way;
  if (target === undefined || beyond(way) !== undefined || wanted.protocol !== 'tcp') return undefined;
  if (source.hidden || target.hidden) return undefined;
  const asServer = faultOf(target) ?? distrustOf(source, target);
  const asClient = faultOf(source) ?? distrustOf(target, source);
  if (asServer === undefined && asClient === undefined) return undefined;
  const affected = asServer === undefined ? 'Mutual TLS' : 'TLS';
  const faults = [asServer, asClient].filter((fault) => fault !== undefined);
  const detail = `${affected} with certificates of the mesh CA may fail: ${faults.join(', and ')}. Packets are not affected.`;
  return { check: 'certificate', outcome: 'note', detail, clause: '', fix: [] };
}

const FAULTS: Readonly<Record<CertificateFacts['state'], ((name: string) => string) | undefined>> = {
  valid: undefined,
  expired: (name) => `the certificate of ${name} has expired`,
  none: (name) => `${name} has no certificate`,
  revoked: (name) => `the certificate of ${name} was revoked, and it has not confirmed another one`,
  unproven: (name) => `${name} has not confirmed which certificate it has in place`,
};

function faultOf({ node, name }: End): string | undefined {
  return node.certificate === undefined ? undefined : FAULTS[node.certificate.state]?.(name);
}

/** A new authority signed the certificate of one, and the other has not proven that it trusts that authority. */
function distrustOf({ node, name }: End, other: End): string | undefined {
  const issuer = other.node.certificate?.issuer;
  if (issuer === null || issuer === undefined) return undefined;
  if (node.certificate?.unproven_authorities.includes(issuer) !== true) return undefined;
  return `${name} has not proven that it trusts the new authority that signed the certificate of ${other.name}`;
}
