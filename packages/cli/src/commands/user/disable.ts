import type { Command } from 'commander';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { userIdOf } from './find-user.ts';
import { userFields } from './user-fields.ts';

export function userDisable(): Command {
  return access('disable', true)
    .summary('Disable a user')
    .description('Disable a user: ends all sessions, and nobody can sign in with the account until it is enabled.');
}

export function userEnable(): Command {
  return access('enable', false)
    .summary('Enable a user')
    .description('Enable a user who was disabled. What ended stays ended: the user signs in anew.');
}

function access(verb: string, disabled: boolean): Command {
  return panelCommand(verb, 'users.update')
    .argument('<user>', 'id or name of the user')
    .action(async (user: string, _options: object, command: Command) => {
      const { panel, out } = await openPanelSession(command);
      const params = { id: await userIdOf(panel, user) };
      const { body } = await panel.call('users.update', { params, body: { disabled } });
      await out.result(body, () => userFields(body));
    });
}
