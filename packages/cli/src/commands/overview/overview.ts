import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { overviewText } from './overview-text.ts';

export function overview(): Command {
  return operationCommand('overview', 'overview.show').action(async (_options: object, command: Command) => {
    const { client, out } = await openSession(command);
    const { body } = await client.call('overview.show');
    await out.result(body, () => overviewText(body, (tint, text) => out.tinted(tint, text)));
  });
}
