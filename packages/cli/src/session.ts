import { type Client, type ClientOptions, createClient, createPanelClient, type PanelClient } from '@meshwork/client';
import type { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { type Connection, type GlobalFlags, readConnection, readPanelConnection } from './config.ts';
import { Failure } from './failure.ts';
import { Output } from './output.ts';
import { abortOnSignal } from './signals.ts';

/** What a command that asks a coordinator needs. */
export interface Session {
  /** Where the coordinator is, as the caller reaches it. */
  readonly url: string;
  readonly client: Client;
  readonly out: Output;
}

export async function openSession(command: Command): Promise<Session> {
  const out = outputOf(command);
  const { url, token, unasked_token_file, warning } = await readConnection(command.optsWithGlobals<GlobalFlags>());
  if (warning !== undefined) out.notice(warning);
  if (unasked_token_file !== undefined) out.notice(`using the bootstrap token in ${unasked_token_file}`);
  return { url, client: clientFor({ url, token }), out };
}

/** What a command that asks the panel needs. */
interface PanelSession {
  readonly url: string;
  readonly panel: PanelClient;
  readonly out: Output;
}

export async function openPanelSession(command: Command): Promise<PanelSession> {
  const out = outputOf(command);
  const { url, token, unasked_token_file } = await readPanelConnection(command.optsWithGlobals<GlobalFlags>());
  if (unasked_token_file !== undefined) out.notice(`using the bootstrap token in ${unasked_token_file}`);
  return { url, panel: connected({ url, token }, createPanelClient), out };
}

/** For what anyone may ask: no token is sent where none is needed. */
export async function openAnonymousSession(command: Command): Promise<Session> {
  const { url } = await readConnection(command.optsWithGlobals<GlobalFlags>());
  return { url, client: clientFor({ url, token: undefined }), out: outputOf(command) };
}

export function outputOf(command: Command): Output {
  const { json, color } = command.optsWithGlobals<GlobalFlags>();
  return new Output({ json: json === true, color });
}

function clientFor(connection: Pick<Connection, 'url' | 'token'>): Client {
  return connected(connection, createClient);
}

function connected<C>(connection: Pick<Connection, 'url' | 'token'>, create: (options: ClientOptions) => C): C {
  try {
    return create({
      ...connection,
      user_agent: `mesh/${packageJson.version}`,
      signal: abortOnSignal(),
      retry: { attempts: 3 },
    });
  } catch (error) {
    // The client says what is wrong with the address or the token, and repeats neither.
    throw new Failure((error as Error).message, { exit: 'usage', code: 'usage', cause: error });
  }
}
