import type { Role } from '@meshwork/contract';
import type { Command } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';

export function roleList(): Command {
  return withPaging(operationCommand('list', 'roles.list')).action(
    async ({ all, limit }: PagingOptions, command: Command) => {
      const { client, out } = await openSession(command);
      const query = { limit };
      await printList(out, all, {
        page: () => client.call('roles.list', { query }),
        every: () => client.pages('roles.list', { query }),
        table: (roles) => table(HEADINGS, roles.map(rowOf), (text) => out.strong(text)),
      });
    },
  );
}

const HEADINGS = ['NAME', 'BUILT IN', 'PERMISSIONS', 'DESCRIPTION'];

function rowOf({ name, built_in, permissions, description }: Role): string[] {
  return [name, built_in ? 'yes' : 'no', String(permissions.length), description];
}
