/**
 * A file that a token is handed over in, to the first owner or to the panel, and its drafts: `<file>.<token id>`, one for each token that was about to be
 * committed. The id makes a draft one start's alone, so that coordinators which share the file never touch each other's,
 * and lets a later start find out whether its token was committed.
 */

import { hash } from 'node:crypto';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { TokenId } from '@meshwork/contract';
import { isCode, moveIntoPlace, readPrivateFile, unlessMissing, writeNewPrivateFile } from '@meshwork/service';
import { tokenIdIn } from './access/token-secret.ts';
import { tokenState, works } from './access/token-state.ts';
import type { Mesh } from './mesh/mesh.ts';
import type { Stored } from './mesh/model.ts';

/** No start takes this long: a draft that is older, and whose token was not committed, is good for nothing. */
const DRAFT_KEPT_MS = 24 * 3600 * 1000;

interface Draft {
  readonly path: string;
  readonly file: string;
}

export function draftOf(file: string, id: TokenId): Draft {
  return { path: `${file}.${id}`, file };
}

/** Before the token is committed, so also the last moment to find that the file could not be written. */
export async function writeDraft(draft: Draft, text: string): Promise<void> {
  const found = await unlessMissing(lstat(draft.file));
  if (found?.isDirectory()) throw new Error(`${draft.file} is a folder, and must be a file for a token.`);
  await writeNewPrivateFile(draft.path, `${text}\n`);
}

export async function removeDraft(draft: Draft): Promise<void> {
  await rm(draft.path, { force: true });
}

/** Once the token is committed. */
export async function putInPlace(draft: Draft): Promise<void> {
  try {
    await moveIntoPlace(draft.path, draft.file);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return; // another start found the draft and put it in place
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The token is in ${draft.path}, and could not be put in place: ${reason}`, { cause: error });
  }
}

/**
 * Puts in place what an earlier start committed and could not, the newest last, and clears away what is long over.
 * Returns whether it put one in place.
 */
export async function finishDrafts(mesh: Mesh, file: string): Promise<boolean> {
  let finished = false;
  const prefix = `${basename(file)}.token_`;
  const names = (await unlessMissing(readdir(dirname(file)))) ?? [];
  for (const name of names.filter((one) => one.startsWith(prefix)).sort()) {
    const draft = { path: join(dirname(file), name), file };
    const id = name.slice(basename(file).length + 1);
    if (await isCommitted(mesh, id, draft.path)) {
      await putInPlace(draft);
      finished = true;
    } else if (await isOver(mesh, draft.path)) await removeDraft(draft);
  }
  return finished;
}

async function isCommitted(mesh: Mesh, id: string, path: string): Promise<boolean> {
  const token = await tokenIn(mesh, path);
  return token?.id === id && works(tokenState(token.body, mesh.clock.now()));
}

/** The token whose text the file holds. Undefined: there is no such file, or it holds none that is known here. */
export async function tokenIn(mesh: Mesh, path: string): Promise<Stored<'token'> | undefined> {
  const text = (await readPrivateFile(path))?.trim();
  const token = text === undefined ? undefined : mesh.model.get('token', tokenIdIn(text));
  return text !== undefined && hash('sha256', text) === token?.body.secret_sha256 ? token : undefined;
}

/** By age alone: a young draft without a token may be another coordinator's that is about to commit. */
async function isOver(mesh: Mesh, path: string): Promise<boolean> {
  const found = await unlessMissing(stat(path));
  return found !== undefined && mesh.clock.now() - found.mtimeMs > DRAFT_KEPT_MS;
}
