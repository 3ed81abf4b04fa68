import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { roleFields } from './role-fields.ts';

export function roleShow(): Command {
  return operationCommand('show', 'roles.show')
    .argument('<name>', 'name of the role')
    .action(async (name: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('roles.show', { params: { name } });
      await out.result(body, () => roleFields(body));
    });
}
