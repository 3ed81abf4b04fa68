import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { settingsText } from './settings-text.ts';

export function settingsShow(): Command {
  return operationCommand('show', 'settings.show').action(async (_options: object, command: Command) => {
    const { client, out } = await openSession(command);
    const { body } = await client.call('settings.show');
    await out.result(body, () => settingsText(body));
  });
}
