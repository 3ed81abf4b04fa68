/**
 * What sessions of nodes and kept answers are derived from. Before the master key was turned over for the first time, that is the master
 * key itself; then random keys that it seals, so that the next turn changes nothing but who can open them (docs/decisions/0058).
 */
import { createSecretKey } from 'node:crypto';
import { type MasterKey, openEnvelope, sealedBy } from '@meshwork/service';
import { DATA_KEY_SEALED_FOR } from './envelopes.ts';
import type { MasterKeys } from './master-keys.ts';
import { INSTALLATION_ID } from './mesh-id.ts';
import type { Stored, View } from './model.ts';

export interface DataKey {
  readonly key: MasterKey;
  /** When another took its place: it derives nothing new since. Null: it is the one in use. */
  readonly replaced_ms: number | null;
}

type Installation = Stored<'installation'>['body'];

export class DataKeys {
  readonly #view: View;
  readonly #master: MasterKeys;
  #opened: { readonly of: Installation; readonly keys: readonly DataKey[] } | undefined;

  constructor(view: View, master: MasterKeys) {
    this.#view = view;
    this.#master = master;
  }

  /** The one in use first. Where the master key for newer ones is not here, those that were known before. */
  all(): readonly DataKey[] {
    const installation = this.#view.get('installation', INSTALLATION_ID)?.body;
    if (installation === undefined) return [{ key: this.#master.first, replaced_ms: null }];
    if (this.#opened?.of === installation) return this.#opened.keys;
    const keys = openDataKeys(installation, this.#master);
    if (keys !== undefined) this.#opened = { of: installation, keys };
    if (this.#opened === undefined) throw new Error('The master key of the installation is not here.');
    return this.#opened.keys;
  }
}

function openDataKeys({ master_key_check, data_keys }: Installation, master: MasterKeys) {
  if (data_keys === undefined) {
    const key = master.find(master_key_check);
    return key === undefined ? undefined : [{ key, replaced_ms: null }];
  }
  const opened: DataKey[] = [];
  for (const [place, { key: envelope }] of data_keys.entries()) {
    const key = master.find(sealedBy(envelope));
    if (key === undefined) return undefined;
    const newer = data_keys[place - 1];
    const replaced_ms = newer === undefined ? null : Date.parse(newer.made_at);
    opened.push({ key: createSecretKey(openEnvelope(key, envelope, DATA_KEY_SEALED_FOR)), replaced_ms });
  }
  return opened;
}
