import { ApiError, type Client } from '@meshwork/client';
import type { Token } from '@meshwork/contract';
import { Option } from 'commander';
import { ask } from '../../ask.ts';
import type { Running } from '../../words/command-words.ts';
import { decideChildren } from './decide-children.ts';

const HELP = `A token that made others is revoked alone or together with them. On a terminal you are asked, with
the list. Without one (or with --json) only the token itself is revoked, and a notice names what it
made; --with-children and --keep-children say so beforehand.`;

export const revokeOptions = {
  help: HELP,
  options: () => [
    new Option('--with-children', 'also revoke the tokens that it made, and what those made'),
    new Option('--keep-children', 'leave the tokens that it made').conflicts(['withChildren', 'yes']),
    new Option('-y, --yes', 'do not ask: the same as --with-children'),
  ],
};

interface Options {
  readonly withChildren?: true;
  readonly keepChildren?: true;
  readonly yes?: true;
}

export async function revokeToken({ session, out, request, options, send, show }: Running<Token>): Promise<void> {
  const children = await decideChildren({
    wanted: wantedBy(options as Options),
    find: () => livingChildren(session.client, request.params.id ?? ''),
    ask: process.stdin.isTTY && !out.json ? ask : undefined,
    tell: (text) => out.notice(text),
  });
  if (children) request.query.children = true;
  await show(await send());
}

function wantedBy({ withChildren, keepChildren, yes }: Options): boolean | undefined {
  if (withChildren || yes) return true;
  return keepChildren ? false : undefined;
}

/** What a token made, also through others, and still works. Undefined: the caller may revoke tokens, but not read them. */
async function livingChildren(client: Client, id: string): Promise<readonly Token[] | undefined> {
  const living: Token[] = [];
  try {
    for await (const token of client.pages('tokens.list', { query: { made_by: id, limit: 200 } })) {
      if (token.state !== 'expired' && token.state !== 'revoked') living.push(token);
    }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'permission_denied') return undefined;
    throw error;
  }
  return living;
}
