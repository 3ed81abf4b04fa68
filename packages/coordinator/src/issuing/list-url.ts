import type { View } from '../mesh/model.ts';
import { settingsOf } from '../mesh/settings-of.ts';

/**
 * Where the list of an authority is, for what it signs. By serial number: it is known before the authority itself is signed.
 * Empty: the settings do not say where machines reach the coordinator.
 */
export function listUrlOf(view: View, { serial }: { readonly serial: string }): { readonly list_url?: string } {
  const { distribution_url: url } = settingsOf(view).ca;
  return url === null ? {} : { list_url: `${url.replace(/\/$/, '')}/v1/ca/crl/${serial}` };
}
