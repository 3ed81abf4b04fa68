import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editorCommand } from './config.ts';
import { Failure, reasonOf } from './failure.ts';

/** A text that a person edits, as often as they like. */
export interface Draft {
  /** Waits until the editor is closed, and gives what is in the file then. */
  edit(): Promise<string>;
  discard(): Promise<void>;
  /** Discards it unless it was edited. Then it is kept, and this is its file. */
  discardUnchanged(): Promise<string | undefined>;
}

/** In a private file under a name that lets the editor know what it is. */
export async function draftOf(name: string, text: string): Promise<Draft> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-'));
  const file = join(folder, name);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  const discard = () => rm(folder, { recursive: true, force: true });
  return {
    async edit() {
      await openEditor(file);
      return readFile(file, 'utf8');
    },
    discard,
    async discardUnchanged() {
      if ((await readFile(file, 'utf8')) !== text) return file;
      await discard();
      return undefined;
    },
  };
}

async function openEditor(file: string): Promise<void> {
  const [command, ...args] = editorCommand();
  const restore = leaveInterruptsAlone();
  try {
    const ended = Promise.withResolvers<string | undefined>();
    const editor = spawn(command, [...args, file], { stdio: 'inherit' });
    editor.on('error', ended.reject);
    editor.on('exit', (code, signal) => ended.resolve(code === 0 ? undefined : `ended with ${signal ?? code}`));
    const fault = await ended.promise.catch((error: unknown) => `cannot be started: ${reasonOf(error)}`);
    if (fault === undefined) return;
    const hint = 'set VISUAL or EDITOR to the command of an editor that waits until the file is closed';
    throw new Failure(`the editor ${command} ${fault}`, { exit: 'failed', code: 'editor_failed', hint });
  } finally {
    restore();
  }
}

/** The terminal sends Ctrl-C to the editor and to this process. While the editor has the terminal, only the editor handles it. */
function leaveInterruptsAlone(): () => void {
  const kept = process.listeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT').on('SIGINT', ignore);
  return () => {
    process.off('SIGINT', ignore);
    for (const listener of kept) process.on('SIGINT', listener);
  };
}
