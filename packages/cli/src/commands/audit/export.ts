import { Command } from 'commander';
import { writeWhole } from '../../new-file.ts';
import { openSession } from '../../session.ts';
import { type AuditFilters, withFilters } from './filters.ts';

export function auditExport(): Command {
  return withFilters(new Command('export'))
    .description('Read the whole audit trail, oldest first, a JSON document a line.')
    .option('--out <file>', 'write it to this new file (mode 600), whole or not at all')
    .addHelpText('after', '\nWithout filters, `mesh audit verify --file` can check the export later, on its own.')
    .action(async ({ out: file, ...query }: AuditFilters & { out?: string }, command: Command) => {
      const { client, out } = await openSession(command);
      const entries = client.lines('audit.list', { query });
      if (file === undefined) {
        for await (const entry of entries) await out.item(entry);
        return;
      }
      let count = 0;
      await writeWhole(file, { mode: 0o600, replace: false }, async (write) => {
        for await (const entry of entries) {
          await write(`${JSON.stringify(entry)}\n`);
          count += 1;
        }
      });
      await out.result({ file, entries: count }, () => `wrote ${count} entries to ${file}`);
    });
}
