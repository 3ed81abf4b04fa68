import type { Session } from '@meshwork/contract';
import type { Command } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { table } from '../../table.ts';
import { ago } from '../../when.ts';
import { userIdOf } from './find-user.ts';

export function userSessions(): Command {
  const command = panelCommand('sessions', 'sessions.list')
    .description('List the browsers that users are signed in with.')
    .argument('[user]', 'id or name of one user; by default all that the token may see');
  return withPaging(command).action(async (user: string | undefined, options: PagingOptions, self: Command) => {
    const { panel, out } = await openPanelSession(self);
    const whose = user === undefined ? '*' : await userIdOf(panel, user);
    const query = { user: whose, limit: options.limit };
    await printList(out, options.all, {
      page: () => panel.call('sessions.list', { query }),
      every: () => panel.pages('sessions.list', { query }),
      table: (sessions) => table(HEADINGS, sessions.map(rowOf), (text) => out.strong(text)),
    });
  });
}

const HEADINGS = ['ID', 'USER', 'SIGNED IN BY', 'ADDRESS', 'SINCE', 'LAST SEEN'];

function rowOf({ id, user, method, address, created_at, last_seen_at }: Session): string[] {
  return [id, user.name, method, address, ago(created_at), ago(last_seen_at)];
}
