import { USER_STATES, type User } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import { panelCommand } from '../../program.ts';
import { scopeText } from '../../rights-text.ts';
import { openPanelSession } from '../../session.ts';
import { table } from '../../table.ts';
import { ago } from '../../when.ts';

interface Options extends PagingOptions {
  readonly state?: (typeof USER_STATES)[number];
  readonly role?: string;
  readonly q?: string;
}

export function userList(): Command {
  const command = panelCommand('list', 'users.list')
    .addOption(new Option('--state <state>', 'only those in this state').choices(USER_STATES))
    .option('--role <role>', 'only those with this role')
    .option('--q <text>', 'only those with this in their name');
  return withPaging(command).action(async (options: Options, self: Command) => {
    const { panel, out } = await openPanelSession(self);
    const { all, limit, state, role, q } = options;
    const query = { limit, state, role, q };
    await printList(out, all, {
      page: () => panel.call('users.list', { query }),
      every: () => panel.pages('users.list', { query }),
      table: (users) => table(HEADINGS, users.map(rowOf), (text) => out.strong(text)),
    });
  });
}

const HEADINGS = ['ID', 'NAME', 'STATE', 'ROLE', 'TEAM / SURFACE / ENVIRONMENT', 'LAST SEEN'];

function rowOf({ id, name, state, role, scope, last_seen_at }: User): string[] {
  return [id, name, state, role, scopeText(scope), ago(last_seen_at)];
}
