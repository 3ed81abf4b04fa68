import type { Command } from 'commander';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { userIdOf } from './find-user.ts';
import { userFields } from './user-fields.ts';

export function userShow(): Command {
  return panelCommand('show', 'users.show')
    .argument('<user>', 'id or name of the user')
    .action(async (user: string, _options: object, command: Command) => {
      const { panel, out } = await openPanelSession(command);
      const { body } = await panel.call('users.show', { params: { id: await userIdOf(panel, user) } });
      await out.result(body, () => userFields(body));
    });
}
