import type { AuditEntry } from '@meshwork/contract';
import { Command } from 'commander';
import { pageLimit } from '../../arguments.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { type AuditFilters, withFilters } from './filters.ts';

export function auditList(): Command {
  return withFilters(new Command('list'))
    .description('Read the audit trail, newest first.')
    .option('--limit <count>', 'how many at most', pageLimit)
    .action(async (query: AuditFilters & { limit?: number }, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('audit.list', { query });
      await out.result(body, () =>
        table(['TIME', 'ACTOR', 'ACTION', 'TARGET', 'OUTCOME'], body.items.map(row), (text) => out.strong(text)),
      );
      if (body.next_cursor !== null) out.notice('there are older ones: `mesh audit export` has every one');
    });
}

function row({ at, actor, action, target, outcome, code, count }: AuditEntry): string[] {
  const why = code === null ? outcome : `${outcome} (${code})`;
  return [at, actor.name, action, target?.id ?? '-', count === 1 ? why : `${why} × ${count}`];
}
