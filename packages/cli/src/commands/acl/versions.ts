import type { PolicyVersion } from '@meshwork/contract';
import type { Command } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';

export function aclVersions(): Command {
  const command = operationCommand('versions', 'acls.versions');
  return withPaging(command).action(async ({ all, ...query }: PagingOptions, self: Command) => {
    const { client, out } = await openSession(self);
    await printList(out, all, {
      page: () => client.call('acls.versions', { query }),
      every: () => client.pages('acls.versions', { query }),
      table: (versions) => versionTable(versions, out),
    });
  });
}

function versionTable(versions: readonly PolicyVersion[], out: Output): string {
  const rows = versions.map((version) => [
    String(version.version),
    version.created_at ?? '-',
    version.created_by?.name ?? '-',
    String(version.groups),
    String(version.grants),
    noteOf(version),
  ]);
  return table(['VERSION', 'WRITTEN', 'BY', 'GROUPS', 'GRANTS', 'NOTE'], rows, (text) => out.strong(text));
}

function noteOf({ version, note, restored_from }: PolicyVersion): string {
  if (version === 0) return 'what a new mesh starts with';
  const words = [
    ...(restored_from === null ? [] : [`restored from ${restored_from}`]),
    ...(note === null ? [] : [note]),
  ];
  return words.join(': ') || '-';
}
