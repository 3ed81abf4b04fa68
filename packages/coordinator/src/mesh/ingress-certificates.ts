/**
 * The certificates of an ingress, as two areas touch them: the mesh CA issues them, and an ingress that is deleted or gets another
 * host name loses those that name the old one.
 */
import type { ActorRef, CertificateId, IngressId } from '@meshwork/contract';
import type { Stored, View } from './model.ts';
import { revokeCertificate } from './node-certificates.ts';
import type { Transaction } from './transaction.ts';

/** The claim that a host name leads to one ingress. */
export const hostnameClaim = (hostname: string) => `hostname/${hostname}`;

/** The ingress of a host name. */
export function ingressAt(view: View, hostname: string): Stored<'ingress'> | undefined {
  const holder = view.get('claim', hostnameClaim(hostname))?.body.holder;
  return holder === undefined ? undefined : view.get('ingress', holder);
}

export function certificatesOfIngress(view: View, ingress: string): readonly CertificateId[] {
  return view.get('ingress_certificate', ingress)?.body.all ?? [];
}

/** Revokes what proves that its holder is an ingress which does not have that host name any more. */
export function revokeHostname(tx: Transaction, ingress: IngressId, hostname: string, by: ActorRef): void {
  for (const id of certificatesOfIngress(tx, ingress)) {
    const certificate = tx.get('certificate', id);
    if (certificate?.body.names.dns.includes(hostname) !== true) continue;
    revokeCertificate(tx, certificate, 'cessation_of_operation', by);
  }
}
