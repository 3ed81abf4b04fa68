import type { Command } from 'commander';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { userIdOf } from './find-user.ts';
import { handOverLink, linkFileOption } from './invitation-link.ts';

export function userInvite(): Command {
  return panelCommand('invite', 'users.invite_again')
    .argument('<user>', 'id or name of the user')
    .addOption(linkFileOption())
    .action(async (user: string, { linkFile }: { readonly linkFile?: string }, command: Command) => {
      const { panel, out } = await openPanelSession(command);
      const params = { id: await userIdOf(panel, user) };
      await handOverLink(
        out,
        linkFile,
        async () => (await panel.call('users.invite_again', { params, body: {} })).body,
      );
    });
}
