import { ApiError, type Client } from '@meshwork/client';
import { isPermission, MeshError, type Permission, type TokenWithSecret, type UserId } from '@meshwork/contract';
import type { SignedInAs } from '../sessions/person-access.ts';
import { LIFETIME_S, plainAddress } from './delegation.ts';
import type { PanelCredential } from './panel-credential.ts';
import type { Reachability } from './reachability.ts';
import { troubleOf, unavailable } from './unavailable.ts';

interface Parts {
  readonly client: Client;
  readonly credential: PanelCredential;
  readonly reachability: Reachability;
}

/** Requests that the panel sends to the coordinator by itself, to answer people. Each updates `reachability`. */
export class OwnRequests {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A token for a person. Throws `permission_denied` when their role no longer exists. */
  async delegate({ user }: SignedInAs, address: string): Promise<TokenWithSecret> {
    const { client, credential } = this.#parts;
    const { name, role, scope } = user.body;
    const person = { id: user.id as UserId, name };
    const body = { person, role, scope, address: plainAddress(address), lifetime_s: LIFETIME_S };
    const ask = () => credential.use((token) => client.call('delegations.create', { token, body }));
    try {
      return (await this.#tracked(ask)).body;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 422) throw error;
      const detail = `Your role "${role}" no longer exists. Ask an owner for another role.`;
      throw new MeshError('permission_denied', detail, { cause: error });
    }
  }

  /** Null: there is no such role. */
  async permissionsOfRole(name: string): Promise<ReadonlySet<Permission> | null> {
    if (!/^[\w.-]{1,64}$/.test(name) || /^\.\.?$/.test(name)) return null;
    const { client, credential } = this.#parts;
    const ask = () => credential.use((token) => client.call('roles.show', { token, params: { name } }));
    try {
      return new Set((await this.#tracked(ask)).body.permissions.filter(isPermission));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  /** The permissions of this secret. Undefined: it is no longer valid. */
  async permissionsWith(secret: string): Promise<readonly string[] | undefined> {
    const ask = () => this.#parts.client.call('self.whoami', { token: secret, retry: false });
    try {
      return (await this.#tracked(ask)).body.permissions;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return undefined;
      throw error;
    }
  }

  async #tracked<T>(ask: () => Promise<T>): Promise<T> {
    const { reachability } = this.#parts;
    try {
      const answer = await ask();
      reachability.answered();
      return answer;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble === undefined) {
        if (error instanceof MeshError) reachability.failed(error.message);
        throw error;
      }
      reachability.failed(trouble);
      throw unavailable(trouble, { cause: error });
    }
  }
}
