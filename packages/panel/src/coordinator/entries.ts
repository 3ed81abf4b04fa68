/** What the panel asks of the coordinator for services that ask people to sign in: passes, and to tell gateways where it is. */
import { ApiError, type Client } from '@meshwork/client';
import { MeshError, type UserId } from '@meshwork/contract';
import type { Log } from '@meshwork/service';
import type { Stored } from '../ledger/documents.ts';
import { plainAddress } from './delegation.ts';
import type { PanelCredential } from './panel-credential.ts';
import { troubleOf, unavailable } from './unavailable.ts';

interface Parts {
  readonly client: Client;
  readonly credential: PanelCredential;
  readonly log: Log;
}

interface Asked {
  readonly user: Stored<'user'>;
  readonly hostname: string;
  readonly state: string;
  readonly groups: readonly string[];
  readonly address: string;
}

export class Entries {
  readonly #parts: Parts;
  #origin: string | undefined;
  #announced: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async pass({ user: { id, body: person }, address, groups, ...asked }: Asked) {
    const { client, credential } = this.#parts;
    const { name, scope } = person;
    const body = {
      ...{ person: { id: id as UserId, name }, user: name, scope },
      ...{ groups: [...groups], address: plainAddress(address), ...asked },
    };
    try {
      return (await credential.use((token) => client.call('delegations.pass', { token, body, retry: false }))).body;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Where people reach the panel. It is known once the panel listens. */
  foundAt(origin: string): void {
    this.#origin = origin;
  }

  /** Called whenever the coordinator has answered. Says it again only when that failed before. */
  async announce(): Promise<void> {
    const { client, credential, log } = this.#parts;
    const url = this.#origin;
    if (url === undefined || url === this.#announced) return;
    try {
      await credential.use((token) => client.call('delegations.announce', { token, body: { url }, retry: false }));
      this.#announced = url;
    } catch (error) {
      log.warn({ err: error }, 'the coordinator does not know yet where people sign in');
    }
  }
}

/** What the coordinator decided is the answer; that it could not be asked is no decision. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ApiError && (error.code === 'entry_refused' || error.code === 'not_found')) {
    return new MeshError(error.code, error.detail, { cause: error });
  }
  const trouble = troubleOf(error);
  return trouble === undefined ? error : unavailable(trouble, { cause: error });
}
