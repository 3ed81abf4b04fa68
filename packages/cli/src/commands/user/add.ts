import type { Command } from 'commander';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { handOverLink, linkFileOption } from './invitation-link.ts';

interface Options {
  readonly role: string;
  readonly team: string;
  readonly surface: string;
  readonly environment: string;
  readonly displayName?: string;
  readonly linkFile?: string;
}

export function userAdd(): Command {
  return panelCommand('add', 'users.create')
    .argument('<name>', 'what the user signs in with')
    .requiredOption('--role <role>', 'what the user may do; `mesh role list` shows the roles')
    .option('--team <team>', 'the team the user belongs to', '*')
    .option('--surface <surface>', 'the surface the user is limited to', '*')
    .option('--environment <environment>', 'the environment the user is limited to', '*')
    .option('--display-name <name>', 'what people call the user (default: the name)')
    .addOption(linkFileOption())
    .action(async (name: string, options: Options, command: Command) => {
      const { role, team, surface, environment, displayName: display_name, linkFile } = options;
      const { panel, out } = await openPanelSession(command);
      const body = { name, display_name, role, scope: { team, surface, environment } };
      await handOverLink(out, linkFile, async () => (await panel.call('users.create', { body })).body);
    });
}
