import type { Command } from 'commander';
import { ask } from '../../ask.ts';
import { Failure } from '../../failure.ts';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { userIdOf } from './find-user.ts';

export function userRemove(): Command {
  return panelCommand('remove', 'users.remove')
    .argument('<user>', 'id or name of the user')
    .option('--yes', 'do not ask')
    .action(async (user: string, { yes = false }: { readonly yes?: boolean }, command: Command) => {
      const { panel, out } = await openPanelSession(command);
      const id = await userIdOf(panel, user);
      if (!yes) await confirm(user);
      await panel.call('users.remove', { params: { id } });
      await out.result({ id, removed: true }, () => `removed user ${user}`);
    });
}

async function confirm(user: string): Promise<void> {
  if (!process.stdin.isTTY) {
    const message = 'removing a user cannot be undone, and there is no terminal to ask on';
    throw new Failure(message, { exit: 'usage', code: 'usage', hint: `mesh user remove ${user} --yes` });
  }
  if ((await ask(`Remove ${user} for good? Every session ends. [y/N] `)).trim().toLowerCase() === 'y') return;
  throw new Failure('nothing was changed', { exit: 'failed', code: 'not_confirmed' });
}
