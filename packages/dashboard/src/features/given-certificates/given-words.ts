/** What is said of given certificates in more than one place. */
import type { GivenCertificate } from '@meshwork/contract';

/** Ours: heartbeats bring what gateways show without an event. */
export const LOOK_EVERY_MS = 10_000;

const SHOWN_NAMES = 2;

/** As many names as fit into a cell. */
export function namesWords(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function shownWords({ shown_by }: Pick<GivenCertificate, 'shown_by'>): string {
  if (shown_by.length === 0) return 'No gateway';
  return `${shown_by.filter(({ current }) => current).length} of ${shown_by.length} gateways`;
}

/** Null: nothing that shows here. The coordinator checks the rest. */
export function chainProblem(text: string): string | null {
  if (text.trim() === '' || text.includes('-----BEGIN CERTIFICATE-----')) {
    return text.includes('PRIVATE KEY-----') ? 'There is a private key in it. Give that below.' : null;
  }
  return 'This is not PEM: it begins with -----BEGIN CERTIFICATE-----';
}

export function keyProblem(text: string): string | null {
  if (text.trim() === '' || /-----BEGIN (?:RSA |EC )?PRIVATE KEY-----/.test(text)) return null;
  return text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')
    ? 'It is encrypted. Decrypt it first: openssl pkey -in FILE'
    : 'This is no private key in PEM: it begins with -----BEGIN PRIVATE KEY-----';
}
