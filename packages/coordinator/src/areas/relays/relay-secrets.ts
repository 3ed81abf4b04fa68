import { createHmac, type KeyObject } from 'node:crypto';
import { type NodeId, RELAY_CREDENTIAL_S } from '@meshwork/contract';
import { relaySealedFor } from '../../mesh/envelopes.ts';
import type { Vault } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly expires_ms: number;
}

/**
 * What a relay is sure of its nodes by: a secret that it shares with the coordinators, and credentials that follow from it, with their
 * end in the user name. That is what coturn and other TURN servers know as `use-auth-secret`.
 *
 * The secret of a relay of our own is nowhere kept: it follows from the data key of the installation, the name of the relay, and how often
 * another node took it over.
 */
export class RelaySecrets {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The one that credentials are made with first. The others are of data keys that were replaced lately. */
  of({ id, body }: Stored<'relay'>): readonly [string, ...string[]] {
    if (body.secret !== undefined) return [this.#vault.unseal(body.secret, relaySealedFor(id)).toString('utf8')];
    const derived = this.#vault.data_keys.all().map(({ key }) => derive(key, `relay ${id} ${body.epoch ?? 0}`));
    const [first, ...others] = derived;
    if (first === undefined) throw new Error('There is no key that secrets of relays follow from.');
    return [first, ...others];
  }

  /** The same at each coordinator, for the same moment. */
  credentials(relay: Stored<'relay'>, node: NodeId, at_ms: number): Credentials {
    const expires_s = Math.floor(at_ms / 1000) + RELAY_CREDENTIAL_S;
    const username = `${expires_s}:${node}`;
    const [secret] = this.of(relay);
    return {
      username,
      password: createHmac('sha1', secret).update(username).digest('base64'),
      expires_ms: expires_s * 1000,
    };
  }
}

function derive(key: KeyObject, what: string): string {
  return createHmac('sha256', key).update(what).digest('base64url');
}
