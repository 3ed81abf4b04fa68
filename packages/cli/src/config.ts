/** Where settings come from. Flags win over the environment, and the environment over the file that --config names. */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Failure, reasonOf } from './failure.ts';

/** The flags that every command takes. */
export interface GlobalFlags {
  readonly url?: string;
  /** Only commands that ask the panel take it. */
  readonly panelUrl?: string;
  readonly tokenFile?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly color: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_URL = 'http://127.0.0.1:7400';
/** Beside a coordinator on this machine. */
const PANEL_PORT = '7480';
export const DEFAULT_DATA_DIR = './data';

export interface Connection {
  readonly url: string;
  readonly token: string | undefined;
  /** The bootstrap token file, when it is used by default. */
  readonly unasked_token_file: string | undefined;
  /** What is wrong with the file that the token comes from, though it can be read. */
  readonly warning: string | undefined;
}

export async function readEnvironment(flags: GlobalFlags): Promise<Environment> {
  if (flags.config === undefined) return process.env;
  const text = await readSetting(flags.config, '--config');
  return { ...parseEnv(text), ...process.env };
}

export async function readConnection(flags: GlobalFlags): Promise<Connection> {
  const environment = await readEnvironment(flags);
  return withToken(flags, environment, flags.url ?? (environment.MESH_URL || DEFAULT_URL));
}

/** The panel takes the same tokens as the coordinator. It is beside it on this machine; elsewhere its address has to be given. */
export async function readPanelConnection(flags: GlobalFlags): Promise<Connection> {
  const environment = await readEnvironment(flags);
  const given = flags.panelUrl ?? (environment.MESH_PANEL_URL || undefined);
  return withToken(flags, environment, given ?? panelBeside(flags.url ?? (environment.MESH_URL || DEFAULT_URL)));
}

function panelBeside(coordinator: string): string {
  if (!isThisMachine(coordinator)) {
    const message = `the coordinator is at ${coordinator}, and nothing says where its panel is`;
    throw new Failure(message, { exit: 'usage', code: 'usage', hint: 'give --panel-url, or set MESH_PANEL_URL' });
  }
  const url = new URL('/', coordinator);
  url.port = PANEL_PORT;
  return url.href;
}

async function withToken(flags: GlobalFlags, environment: Environment, url: string): Promise<Connection> {
  if (flags.tokenFile !== undefined) {
    const token = await readToken(flags.tokenFile, '--token-file');
    return { url, token, unasked_token_file: undefined, warning: await openToOthers(flags.tokenFile) };
  }
  const none = { unasked_token_file: undefined, warning: undefined };
  if (environment.MESH_TOKEN) return { url, token: environment.MESH_TOKEN.trim(), ...none };
  const file = bootstrapTokenFile(environment);
  const token = isThisMachine(url) ? await readToken(file, undefined) : undefined;
  if (token === undefined) return { url, token, ...none };
  return { url, token, unasked_token_file: file, warning: await openToOthers(file) };
}

/** A user who can read the file can do all that its token may. A pipe or a terminal cannot be read afterwards. */
export async function openToOthers(file: string): Promise<string | undefined> {
  const found = await stat(file);
  if (!found.isFile() || (found.mode & 0o077) === 0) return undefined;
  const text = (found.mode & 0o777).toString(8);
  return `warning: other users can read the token in ${file} (mode ${text}). Run: chmod 600 ${file}`;
}

function bootstrapTokenFile(environment: Environment): string {
  const folder = environment.MESH_DATA_DIR || DEFAULT_DATA_DIR;
  return resolve(environment.MESH_BOOTSTRAP_TOKEN_FILE || join(folder, 'bootstrap-token'));
}

/** An owner's token that is used by default is sent to this machine only. */
export function isThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

/** Without a flag to blame, a file that cannot be read is as good as none. */
async function readToken(file: string, flag: string | undefined): Promise<string | undefined> {
  if (flag === undefined) return (await readFile(file, 'utf8').catch(() => ''))?.trim() || undefined;
  const token = (await readSetting(file, flag)).trim();
  if (token === '') throw new Failure(`${flag} names ${file}, which is empty`, { exit: 'usage', code: 'usage' });
  return token;
}

async function readSetting(file: string, flag: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const message = `${flag} names ${file}, which cannot be read: ${reasonOf(error)}`;
    throw new Failure(message, { exit: 'usage', code: 'usage', cause: error });
  }
}

/** What people edit with, and its arguments. As everywhere else, a command that needs a shell has to be a script. */
export function editorCommand(): readonly [command: string, ...args: string[]] {
  const [command = 'vi', ...args] = (process.env.VISUAL || process.env.EDITOR || '').split(' ').filter(Boolean);
  return [command, ...args];
}

/** How to call this program again from where it was called: under npm it is not on the path of the shell. */
export function programName(): string {
  return process.env.npm_lifecycle_event === undefined ? 'mesh' : 'npx mesh';
}
