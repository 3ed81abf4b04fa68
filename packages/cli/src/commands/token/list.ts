import { TOKEN_STATES, type Token, type TokenState } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { scopeText } from '../../rights-text.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';

interface Options extends PagingOptions {
  readonly state?: TokenState;
  readonly role?: string;
  readonly q?: string;
  readonly madeBy?: string;
  readonly parent?: string;
  readonly people?: true;
}

export function tokenList(): Command {
  const command = operationCommand('list', 'tokens.list')
    .addOption(new Option('--state <state>', 'only those in this state').choices(TOKEN_STATES))
    .option('--role <role>', 'only those with this role')
    .option('--q <text>', 'only those with this in their name')
    .option('--made-by <id>', 'only those that this person or token made, also through tokens that they made')
    .option('--parent <id>', 'only those that this person or token made itself')
    .option('--people', 'also those of people who are signed in to the panel');
  return withPaging(command).action(async ({ all, madeBy, ...rest }: Options, self: Command) => {
    const { client, out } = await openSession(self);
    const query = madeBy === undefined ? rest : { ...rest, made_by: madeBy };
    await printList(out, all, {
      page: () => client.call('tokens.list', { query }),
      every: () => client.pages('tokens.list', { query }),
      table: (tokens) => tokenTable(tokens, out),
    });
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
