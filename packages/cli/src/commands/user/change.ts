import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { type ScopeFlags, scopeOf } from '../ingress/scope-flags.ts';
import { userIdOf } from './find-user.ts';
import { userFields } from './user-fields.ts';

interface Options extends ScopeFlags {
  readonly role?: string;
  readonly displayName?: string;
}

export function userChange(): Command {
  return panelCommand('change', 'users.update')
    .argument('<user>', 'id or name of the user')
    .option('--role <role>', 'what the user may do')
    .option('--team <team>', 'the team the user belongs to; "*" for all')
    .option('--surface <surface>', 'the surface the user is limited to; "*" for all')
    .option('--environment <environment>', 'the environment the user is limited to; "*" for all')
    .option('--display-name <name>', 'what people call the user')
    .action(async (user: string, options: Options, command: Command) => {
      const scope = scopeOf(options);
      const { role, displayName: display_name } = options;
      if (scope === undefined && role === undefined && display_name === undefined) {
        throw new Failure('say what to change, such as --role auditor', { exit: 'usage', code: 'usage' });
      }
      const { panel, out } = await openPanelSession(command);
      const params = { id: await userIdOf(panel, user) };
      const { body } = await panel.call('users.update', { params, body: { role, scope, display_name } });
      await out.result(body, () => userFields(body));
    });
}
