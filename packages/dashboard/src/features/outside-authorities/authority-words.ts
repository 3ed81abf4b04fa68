/** What is said of outside authorities in more than one place. */
import type { OutsideAuthority } from '@meshwork/contract';
import { KNOWN_AUTHORITIES } from '@meshwork/contract/vocabulary';
import { plural } from '../../ui/plural.ts';

/** Ours: accounts are made in the background. */
export const LOOK_EVERY_MS = 5000;

export const CHALLENGE_WORDS: Readonly<Record<OutsideAuthority['challenge'], string>> = {
  'http-01': 'Over plain HTTP, at port 80 (http-01)',
  'tls-alpn-01': 'In a TLS handshake, at port 443 (tls-alpn-01)',
};

/** Let’s Encrypt, where people know it by a name; else the host of its directory. */
export function titleOf(directory: string): string {
  const known = Object.values(KNOWN_AUTHORITIES).find((one) => one.directory === directory);
  return known?.title ?? new URL(directory).host;
}

export function certificatesWords({ certificates, orders }: Pick<OutsideAuthority, 'certificates' | 'orders'>): string {
  return orders === 0 ? 'No host name needs it' : `${certificates} of ${plural(orders, 'host name')}`;
}

export function problemOf({ account, staging_account }: Pick<OutsideAuthority, 'account' | 'staging_account'>) {
  return account.problem ?? staging_account?.problem ?? null;
}
