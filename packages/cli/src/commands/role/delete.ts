import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';

export function roleDelete(): Command {
  return operationCommand('delete', 'roles.delete')
    .argument('<name>', 'name of the role')
    .action(async (name: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      await client.call('roles.delete', { params: { name } });
      await out.result({ name, deleted: true }, () => `deleted role ${name}`);
    });
}
