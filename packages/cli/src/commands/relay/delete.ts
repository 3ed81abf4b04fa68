import type { Command } from 'commander';
import { confirmRemoval, withYes, type YesFlag } from '../../confirm.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';

export function relayDelete(): Command {
  return withYes(operationCommand('delete', 'relays.delete'))
    .argument('<name>', 'name of the relay')
    .action(async (name: string, options: YesFlag, command: Command) => {
      const { client, out } = await openSession(command);
      await confirmRemoval(options, `deleting relay ${name}`, () => `Nodes that use relay ${name} move to others.`);
      await client.call('relays.delete', { params: { name } });
      await out.result({ name, deleted: true }, () => `deleted relay ${name}`);
    });
}
