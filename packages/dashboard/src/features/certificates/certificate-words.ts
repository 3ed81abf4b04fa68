/** Words for certificates that several places need. */
import type { Certificate, CertificateProfile, RevocationReason } from '@meshwork/contract';
import { MESH_DOMAIN } from '@meshwork/contract/vocabulary';

export const PROFILE_WORDS: Readonly<Record<CertificateProfile, string>> = {
  node: 'Node',
  server: 'Server',
  client: 'Client',
  ingress: 'Ingress',
};

export const REASON_WORDS: Readonly<Record<RevocationReason, string>> = {
  unspecified: 'No reason given',
  key_compromise: 'Key compromise',
  affiliation_changed: 'Affiliation changed',
  superseded: 'Superseded',
  cessation_of_operation: 'Cessation of operation',
  privilege_withdrawn: 'Privilege withdrawn',
};

/** Null: there was none. */
export function reasonWords(reason: RevocationReason | null): string | null {
  return reason === null || reason === 'unspecified' ? null : (REASON_WORDS[reason] ?? null);
}

type Named = Pick<Certificate, 'names' | 'serial'>;

/** What people call it: its first name. */
export function nameOf({ names, serial }: Named): string {
  return names.dns[0] ?? names.uris[0] ?? names.addresses[0] ?? serial;
}

/** The same where there is little room: a SPIFFE id without what all of the mesh have in common. */
export function shortNameOf(certificate: Named): string {
  return nameOf(certificate).replace(/^spiffe:\/\/[^/]+\/node\//, '');
}

/** `git-1.mesh.pem`: also for names that could not be those of files. */
export function fileNameOf(certificate: Named): string {
  const name = certificate.names.dns[0] ?? certificate.serial;
  return `${name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.pem`;
}

/** The names of nodes in its own names: `git-1` of `git-1.mesh` and `www.git-1.mesh`, and of SPIFFE ids below the node's. */
export function nodeNamesIn({ names: { dns, uris } }: Pick<Certificate, 'names'>): readonly string[] {
  const ofDns = dns.flatMap((name) => {
    const labels = name.split('.');
    return labels.pop() === MESH_DOMAIN ? (labels.pop() ?? []) : [];
  });
  const ofUris = uris.flatMap((uri) => /^spiffe:\/\/[^/]+\/node\/([^/]+)/.exec(uri)?.[1] ?? []);
  return [...new Set([...ofDns, ...ofUris])];
}

export function pemFile(text: string): Blob {
  return new Blob([text], { type: 'application/x-pem-file' });
}
