import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { roleFields } from './role-fields.ts';

interface Options {
  readonly permission: string[];
  readonly description?: string;
}

export function roleCreate(): Command {
  return operationCommand('create', 'roles.create')
    .argument('<name>', 'lower-case letters, digits and dashes')
    .requiredOption('--permission <permissions...>', 'what it allows, such as nodes:read')
    .option('--description <text>', 'what it is for')
    .action(async (name: string, { permission: permissions, description }: Options, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('roles.create', { body: { name, description, permissions } });
      await out.result(body, () => roleFields(body));
    });
}
