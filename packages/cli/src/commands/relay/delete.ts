import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';

export function relayDelete(): Command {
  return operationCommand('delete', 'relays.delete')
    .argument('<name>', 'name of the relay')
    .action(async (name: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      await client.call('relays.delete', { params: { name } });
      await out.result({ name, deleted: true }, () => `deleted relay ${name}`);
    });
}
