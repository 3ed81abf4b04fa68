import { isIP } from 'node:net';
import { kindOfAddress } from '@meshwork/addresses';
import { invalid } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';

/**
 * Refuses an address that no relay can have, unless the settings allow it: every node sends to it. Of a host name nothing
 * is known here; agents look at what it resolves to when they ask it.
 */
export function ensureSoundHost(view: View, host: string): void {
  if (isIP(host) === 0 || kindOfAddress(host) !== 'unusable' || settingsOf(view).relays.allow_special_addresses) return;
  throw invalid(
    '/host',
    `${host} is a loopback, link-local, multicast or metadata address; the setting relays.allow_special_addresses allows those`,
  );
}
