import { kindOfAddress, plainAddress } from '@meshwork/addresses';
import { type FieldError, invalid, MESH_DOMAIN, MeshError, SERVICE_DOMAIN } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { fqdnOf } from './records.ts';

interface Meaning {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly cname: string | null;
}

/** What no schema can say. Every fault is named at once. */
export function ensureSoundRecord(view: View, record: Meaning): void {
  ensureFreeDomain(record.name);
  const { addresses, cname } = record;
  if (cname !== null && addresses.length > 0) throw invalid('/cname', 'cannot stand beside addresses');
  if (cname === null && addresses.length === 0) throw invalid('/addresses', 'must have one at least, or send cname');
  if (cname === fqdnOf(record.name)) throw invalid('/cname', 'must be another name than its own');
  const { allow_special_addresses } = settingsOf(view).dns;
  const errors: FieldError[] = addresses.flatMap((address, index) => {
    const detail = faultOf(address, allow_special_addresses);
    return detail === undefined ? [] : [{ pointer: `/addresses/${index}`, detail }];
  });
  if (errors.length === 0) return;
  const detail = errors.map(({ pointer, detail: text }) => `${pointer} ${text}`).join('; ');
  throw new MeshError('invalid', `${detail}.`, { errors });
}

function ensureFreeDomain(name: string): void {
  const labels = name.split('.');
  if (labels.at(-1) === SERVICE_DOMAIN && labels.length > 1) {
    throw invalid('/name', `must not lie below ${fqdnOf(SERVICE_DOMAIN)}: those names belong to services`);
  }
  if (labels.at(-1) === MESH_DOMAIN && labels.length > 1) {
    throw invalid('/name', `must not end in .${MESH_DOMAIN}, which is added to it`);
  }
}

/** A name that leads to loopback or to the metadata of a cloud would turn programs that trust names against their own host. */
function faultOf(address: string, allowSpecial: boolean): string | undefined {
  const plain = plainAddress(address);
  if (plain === null) return `"${address}" is not an IP address`;
  if (plain !== address) return `"${address}" must be spelled ${plain}`;
  if (allowSpecial || kindOfAddress(address) !== 'unusable') return undefined;
  return `${address} is a loopback, link-local, multicast or metadata address; the setting dns.allow_special_addresses allows those`;
}
