import type { Vocabulary } from '../../vocabulary-type.ts';

/** The domain of every name in the mesh: a node is `NAME.mesh`. */
export const MESH_DOMAIN = 'mesh';

/** As many further domains as the settings may name. */
export const MAX_CA_DOMAINS = 50;

/** `root` signs only other authorities; `intermediate` signs certificates. */
export const AUTHORITY_ROLES = ['root', 'intermediate'] as const;
export type AuthorityRole = (typeof AUTHORITY_ROLES)[number];

/**
 * `published`: nodes are sent it, and it signs nothing yet. `active`: it signs. `retiring`: it signs nothing more, and what it
 * signed is good until it expires. `retired`: nodes are not sent it any more.
 */
export const AUTHORITY_STATES = ['published', 'active', 'retiring', 'retired'] as const;
export type AuthorityState = (typeof AUTHORITY_STATES)[number];

/** `kept`: sealed in the installation. `outside`: exported and dropped. `deleted`: the authority is retired, and its key is gone. */
export const AUTHORITY_KEYS = ['kept', 'outside', 'deleted'] as const;

/** Characters of the passphrase of an exported key. */
export const MIN_PASSPHRASE = 12;
/** What the exported key signs to prove that it can be opened. The time of the export makes each proof one of its own. */
export function dropProofText(root: { readonly id: string; readonly key_exported_at: string }): string {
  return `meshwork: drop the key of ${root.id}, exported at ${root.key_exported_at}`;
}
/** Characters of a revocation list of the root in PEM: it names intermediates, of which there are few. */
export const MAX_ROOT_LIST = 32 * 1024;
/** An intermediate that is taken in lives at least so long: nodes have to prove that they trust it, and renew. */
export const MIN_INTERMEDIATE_DAYS = 7;

export const ROTATION_STATES = ['publishing', 'retiring'] as const;
/** As many nodes as one answer names; the counts have all of them. */
export const MAX_ROTATION_NODES = 100;

/** What a certificate is for: it decides on key types, names, usages and the longest life. */
export const CERTIFICATE_PROFILES = ['node', 'server', 'client', 'ingress'] as const;
export type CertificateProfile = (typeof CERTIFICATE_PROFILES)[number];
/** Those that can be requested. `node` is only for nodes, which are given theirs by heartbeat. */
export const REQUESTED_PROFILES = ['server', 'client', 'ingress'] as const satisfies readonly CertificateProfile[];
export type RequestedProfile = (typeof REQUESTED_PROFILES)[number];

export const CERTIFICATE_STATES = ['valid', 'expired', 'revoked'] as const;
export type CertificateState = (typeof CERTIFICATE_STATES)[number];

/** Of RFC 5280, those that an operator can give. A certificate that was put on hold could come back, so that is not one of them. */
export const REVOCATION_REASONS = [
  'unspecified',
  'key_compromise',
  'affiliation_changed',
  'superseded',
  'cessation_of_operation',
  'privilege_withdrawn',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** One revocation list, in DER (RFC 2585). */
export const CRL_TYPE = 'application/pkix-crl';
/** Any number of certificates or revocation lists, as text. */
export const PEM_TYPE = 'application/x-pem-file';

/** Characters of a certificate request in PEM: an RSA key of 4096 bits with 100 names fits. */
export const MAX_REQUEST = 16 * 1024;
/** The same for the request of a node, which names nothing: the coordinator knows its names. */
export const MAX_NODE_REQUEST = 4096;
/** The shortest life that a certificate can be given. */
export const MIN_CERTIFICATE_LIFE_S = 300;

export const caVocabulary = {
  permissions: {
    'ca:read': 'Read the authorities and the certificates of the mesh.',
    'ca:issue': 'Issue certificates for nodes and services inside its scope.',
    'ca:rotate': 'Replace the authorities of the mesh, and turn the master key over.',
    'ca:export': 'Take the key of the root out of the installation.',
    'ca:revoke': 'Revoke certificates of nodes and services inside its scope.',
  },
  ids: { authority: 'authority', certificate: 'certificate' },
} as const satisfies Vocabulary;
