/** What only one node can have at a time; a name, also against DNS records. Each is a document of its own, so that two enrolments at once cannot both win. */
import { isId, MeshError } from '@meshwork/contract';
import type { NodeDocument } from '../kinds/nodes.ts';
import type { View } from './model.ts';
import type { Transaction } from './transaction.ts';

type Unique = Pick<NodeDocument, 'name' | 'address' | 'identity_key' | 'wireguard_key'>;

const WORDS: Readonly<Record<keyof Unique, string>> = {
  name: 'name',
  address: 'address',
  identity_key: 'identity key',
  wireguard_key: 'WireGuard key',
};

function claimId(field: keyof Unique, value: string): string {
  return `${field === 'name' || field === 'address' ? field : field.replace('_key', '')}/${value}`;
}

export function claim(tx: Transaction, holder: string, unique: Partial<Unique>): void {
  for (const field of Object.keys(unique) as (keyof Unique)[]) {
    const value = unique[field];
    if (value === undefined) continue;
    const id = claimId(field, value);
    const taken = tx.get('claim', id);
    if (taken !== undefined && taken.body.holder !== holder) {
      throw new MeshError(
        'already_exists',
        `There already is a ${whatHas(taken.body.holder)} with the ${WORDS[field]} "${value}".`,
      );
    }
    tx.put('claim', id, { holder });
  }
}

function whatHas(holder: string): string {
  return isId('dns', holder) ? 'DNS record' : 'node';
}

/** Id of the node or the DNS record that has a name. */
export function holderOfName(view: View, name: string): string | undefined {
  return view.get('claim', claimId('name', name))?.body.holder;
}

export function unclaim(tx: Transaction, unique: Partial<Unique>): void {
  for (const field of Object.keys(unique) as (keyof Unique)[]) {
    const value = unique[field];
    if (value !== undefined) tx.delete('claim', claimId(field, value));
  }
}
