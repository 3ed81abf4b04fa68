import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { relayFields } from './relay-fields.ts';

export function relayDrain(): Command {
  return operationCommand('drain', 'relays.drain')
    .argument('<name>', 'name of the relay')
    .action(async (name: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('relays.drain', { params: { name } });
      await out.result(body, () => relayFields(body));
    });
}
