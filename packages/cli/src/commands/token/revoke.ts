import type { Client } from '@meshwork/client';
import type { Token, TokenId } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { tokenId } from '../../arguments.ts';
import { ask } from '../../ask.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { decideChildren } from './decide-children.ts';
import { livingChildren } from './living-children.ts';
import { tokenFields } from './token-fields.ts';

interface Options {
  readonly withChildren?: true;
  readonly keepChildren?: true;
  readonly yes?: true;
}

const HELP = `
A token that made others is revoked alone or together with them. On a terminal you are asked, with
the list. Without one (or with --json) only the token itself is revoked, and a notice names what it
made; --with-children and --keep-children say so beforehand.`;

export function tokenRevoke(): Command {
  return operationCommand('revoke', 'tokens.revoke')
    .argument('<id>', 'id of the token', tokenId)
    .addOption(new Option('--with-children', 'also revoke the tokens that it made, and what those made'))
    .addOption(new Option('--keep-children', 'leave the tokens that it made').conflicts(['withChildren', 'yes']))
    .addOption(new Option('-y, --yes', 'do not ask: the same as --with-children'))
    .addHelpText('after', HELP)
    .action(async (id: TokenId, options: Options, command: Command) => {
      const { client, out } = await openSession(command);
      const children = await decideChildren({
        wanted: wantedBy(options),
        find: () => livingChildren(client, id),
        ask: process.stdin.isTTY && !out.json ? ask : undefined,
        tell: (text) => out.notice(text),
      });
      const body = await revoke(client, id, children);
      await out.result(body, () => tokenFields(body));
    });
}

function wantedBy({ withChildren, keepChildren, yes }: Options): boolean | undefined {
  if (withChildren || yes) return true;
  return keepChildren ? false : undefined;
}

async function revoke(client: Client, id: TokenId, children: boolean): Promise<Token> {
  return (await client.call('tokens.revoke', { params: { id }, query: children ? { children } : {} })).body;
}
