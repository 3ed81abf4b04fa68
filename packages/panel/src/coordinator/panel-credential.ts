/**
 * The panel's own token, with which it requests delegations. The coordinator writes it to a file. The panel rotates it in time and
 * writes the successor to the same file, so that the next start of either finds a valid one.
 */
import { rm } from 'node:fs/promises';
import { ApiError, type Client } from '@meshwork/client';
import { isId, type TokenId, timeOfId, type Whoami } from '@meshwork/contract';
import { isCode, moveIntoPlace, readPrivateFile, writeNewPrivateFile } from '@meshwork/service';
import type { Clock } from '@meshwork/time';
import { unavailable } from './unavailable.ts';

/** Rotated when less than this part of its life is left: weeks, in which a coordinator that is away can come back. */
const LEFT_WHEN_ROTATED = 1 / 3;
const ROLE = 'panel';

interface PanelCredentialParts {
  readonly file: string;
  readonly client: Client;
  readonly clock: Clock;
}

export class PanelCredential {
  readonly #parts: PanelCredentialParts;
  /** Undefined: to be read, at first or because it was refused. */
  #token: string | undefined;

  constructor(parts: PanelCredentialParts) {
    this.#parts = parts;
  }

  /** Does something in the panel's name. A token that is refused may have been replaced: the file is read once more. */
  async use<T>(work: (token: string) => Promise<T>): Promise<T> {
    const token = this.#token ?? (await this.#read());
    try {
      return await work(token);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const newer = await this.#read();
      if (newer === token) throw refused(error);
      return await work(newer).catch((again: unknown) => {
        throw isRefused(again) ? refused(again) : again;
      });
    }
  }

  /** Asks the coordinator who it takes the panel for, and rotates the token when it is time. */
  async check(): Promise<void> {
    const who = await this.use((token) => this.#parts.client.call('self.whoami', { token, retry: false }));
    if (who.body.role !== ROLE) throw unavailable('the token in MESH_PANEL_TOKEN_FILE does not have the role panel');
    if (this.#isDue(who.body)) await this.#rotate(who.body.actor.id as TokenId);
  }

  /** One that retires was rotated, and its successor never reached the file: the same request has the same answer. */
  #isDue({ actor, expires, state }: Whoami): boolean {
    if (state === 'retiring') return true;
    if (!isId('token', actor.id ?? '')) return false;
    const made_ms = timeOfId(actor.id as TokenId);
    const ends_ms = Date.parse(expires);
    return ends_ms - this.#parts.clock.now() < (ends_ms - made_ms) * LEFT_WHEN_ROTATED;
  }

  async #rotate(id: TokenId): Promise<void> {
    const { client, file } = this.#parts;
    const successor = await this.use((token) =>
      client.call('tokens.rotate', { token, params: { id }, body: {}, idempotency_key: `panel-rotates-${id}` }),
    );
    // As the coordinator names its own drafts: should we fall here, its next start puts the file in place.
    const draft = `${file}.${successor.body.id}`;
    await writeDraft(draft, `${successor.body.secret}\n`);
    await moveIntoPlace(draft, file);
    this.#token = successor.body.secret;
  }

  async #read(): Promise<string> {
    const text = (await readPrivateFile(this.#parts.file))?.trim();
    if (text === undefined || text === '') {
      throw unavailable('MESH_PANEL_TOKEN_FILE names a file that is not there, or is empty', {
        cause: new Error(`${this.#parts.file} has no token. The coordinator writes it: give it the same variable.`),
      });
    }
    this.#token = text;
    return text;
  }
}

async function writeDraft(draft: string, text: string): Promise<void> {
  try {
    await writeNewPrivateFile(draft, text);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    await rm(draft); // of an earlier try, perhaps half of it
    await writeNewPrivateFile(draft, text);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.code === 'permission_denied');
}

function refused(cause: unknown) {
  return unavailable('it refuses the token in MESH_PANEL_TOKEN_FILE', { cause });
}
