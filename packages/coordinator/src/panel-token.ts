import { tokenState } from './access/token-state.ts';
import { handOverToken } from './hand-over-token.ts';
import type { Mesh } from './mesh/mesh.ts';
import type { Changed, Stored } from './mesh/model.ts';
import { settingsOf } from './mesh/settings-of.ts';
import { finishDrafts, tokenIn } from './token-file.ts';

const DAY_MS = 24 * 3600 * 1000;
const PANEL_TOKEN_DAYS = 90;
const ROLE = 'panel';

/**
 * Makes sure that the panel finds a token in its file that works and goes on working: the panel rotates it itself in
 * time, and writes the successor there. No other caller can make one: who acts for people is decided by who may read
 * this file.
 */
export async function ensurePanelToken(mesh: Mesh, file: string): Promise<'made' | 'unchanged'> {
  await finishDrafts(mesh, file);
  const found = await tokenIn(mesh, file);
  // One that retires has a successor whose text got lost on its way to the file.
  const isGood = found?.body.role === ROLE && tokenState(found.body, mesh.clock.now()) === 'active';
  if (isGood) return 'unchanged';
  const days = Math.min(PANEL_TOKEN_DAYS, settingsOf(mesh.model).tokens.max_lifetime_days);
  await handOverToken(mesh, {
    file,
    action: 'installation.panel',
    name: 'panel',
    role: ROLE,
    lifetime_ms: days * DAY_MS,
  });
  return 'made';
}

interface KeeperParts {
  readonly mesh: Mesh;
  readonly file: string;
  readonly made: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Makes the panel another token when an operator revokes the one it has. A thief of the old one is locked out then; the
 * panel reads its file again when it is refused, and goes on.
 */
export class PanelTokenKeeper {
  readonly #parts: KeeperParts;
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    parts.mesh.model.watch({
      changed: (change) => {
        if (isRevocation(change)) this.#ensure();
      },
      reset: () => this.#ensure(),
    });
  }

  async close(): Promise<void> {
    await this.#turn;
  }

  #ensure(): void {
    const { mesh, file, made, failed } = this.#parts;
    this.#turn = this.#turn.then(async () => {
      try {
        if ((await ensurePanelToken(mesh, file)) === 'made') made();
      } catch (error) {
        failed(error);
      }
    });
  }
}

/** Only that: one that the panel rotates stands in the file for a moment longer. */
function isRevocation({ kind, before, after }: Changed): boolean {
  if (kind !== 'token') return false;
  const [was, is] = [before, after] as readonly (Stored<'token'> | undefined)[];
  return is?.body.role === ROLE && is.body.revoked_at !== null && was?.body.revoked_at === null;
}
