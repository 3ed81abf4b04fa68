import { CARRIER_TABLES } from '../../host/own-numbers.ts';
import type { RunCommand } from '../../host/run-command.ts';
import { loopbackTable } from './loopback-table.ts';
import { sharedPortTable } from './shared-port-table.ts';

/** Both tables, in one transaction of the kernel's. What was there before is replaced. */
export async function loadTables(
  run: RunCommand,
  ports: Parameters<typeof loopbackTable>[0] & Parameters<typeof sharedPortTable>[0],
): Promise<void> {
  await run('nft', ['-f', '-'], { input: `${loopbackTable(ports)}${sharedPortTable(ports)}` });
}

/** They are named first so that deleting them works also when they are not there. */
export async function deleteTables(run: RunCommand): Promise<void> {
  const lines = Object.values(CARRIER_TABLES).map((name) => `table inet ${name}\ndelete table inet ${name}\n`);
  await run('nft', ['-f', '-'], { input: lines.join('') });
}
