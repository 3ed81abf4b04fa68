import type { Role } from '@meshwork/contract';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { roleFields } from './role-fields.ts';

interface Options {
  readonly permission?: string[];
  readonly add?: string[];
  readonly remove?: string[];
  readonly description?: string;
}

export function roleChange(): Command {
  return operationCommand('change', 'roles.replace')
    .summary('Change a custom role')
    .argument('<name>', 'name of the role')
    .option('--permission <permissions...>', 'everything it allows from now on')
    .option('--add <permissions...>', 'what it allows besides')
    .option('--remove <permissions...>', 'what it allows no longer')
    .option('--description <text>', 'what it is for')
    .action(async (name: string, options: Options, command: Command) => {
      ensureMeaningful(options);
      const { client, out } = await openSession(command);
      const { body: role, etag } = await client.call('roles.show', { params: { name } });
      // As it was read: a permission that somebody else takes away meanwhile must not come back.
      const body = { permissions: permissionsOf(role, options), description: options.description ?? role.description };
      const changed = await client.call('roles.replace', { params: { name }, body, if_match: etag ?? undefined });
      await out.result(changed.body, () => roleFields(changed.body));
    });
}

function permissionsOf(role: Role, { permission, add = [], remove = [] }: Options): string[] {
  if (permission !== undefined) return permission;
  const kept = role.permissions.filter((one) => one !== 'self:read' && !remove.includes(one));
  return [...new Set([...kept, ...add])];
}

function ensureMeaningful({ permission, add, remove, description }: Options): void {
  if (permission !== undefined && (add !== undefined || remove !== undefined)) {
    throw usage('--permission says everything, so neither --add nor --remove goes with it');
  }
  if ([permission, add, remove, description].every((one) => one === undefined)) {
    throw usage('say what to change, such as --add nodes:read');
  }
}

function usage(message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage' });
}
