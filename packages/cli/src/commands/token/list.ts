import { TOKEN_STATES, type Token, type TokenState } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { pageLimit } from '../../arguments.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { scopeText } from '../../rights-text.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';

interface Options {
  readonly state?: TokenState;
  readonly role?: string;
  readonly q?: string;
  readonly limit?: number;
  readonly all?: boolean;
}

export function tokenList(): Command {
  return operationCommand('list', 'tokens.list')
    .addOption(new Option('--state <state>', 'only those in this state').choices(TOKEN_STATES))
    .option('--role <role>', 'only those with this role')
    .option('--q <text>', 'only those with this in their name')
    .option('--limit <count>', 'how many at most; with --all, how many at a time', pageLimit)
    .option('--all', 'every one; with --json one JSON document a line')
    .action(async ({ all, ...query }: Options, command: Command) => {
      const { client, out } = await openSession(command);
      if (all === true) {
        const tokens: Token[] = [];
        for await (const token of client.pages('tokens.list', { query })) {
          if (out.json) await out.item(token);
          else tokens.push(token);
        }
        if (!out.json) await out.write(`${tokenTable(tokens, out)}\n`);
        return;
      }
      const { body } = await client.call('tokens.list', { query });
      await out.result(body, () => tokenTable(body.items, out));
      if (body.next_cursor !== null) out.notice('there are more: --all lists every one');
    });
}

function tokenTable(tokens: readonly Token[], out: Output): string {
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    token.state,
    token.role,
    scopeText(token.scope),
    token.expires,
    token.last_used_at ?? 'never',
  ]);
  const headings = ['ID', 'NAME', 'STATE', 'ROLE', 'TEAM / SURFACE / ENVIRONMENT', 'EXPIRES', 'LAST USED'];
  return table(headings, rows, (text) => out.strong(text));
}
