import type { SessionId } from '@meshwork/contract';
import type { Command } from 'commander';
import { sessionId } from '../../arguments.ts';
import { panelCommand } from '../../program.ts';
import { openPanelSession } from '../../session.ts';
import { userIdOf } from './find-user.ts';

export function userEndSession(): Command {
  return panelCommand('end-session', 'sessions.end')
    .description('End one session: that browser has to sign in anew.')
    .argument('<session>', 'id of the session', sessionId)
    .action(async (id: SessionId, _options: object, command: Command) => {
      const { panel, out } = await openPanelSession(command);
      await panel.call('sessions.end', { params: { id } });
      await out.result({ id, ended: true }, () => `ended ${id}`);
    });
}

export function userEndSessions(): Command {
  return panelCommand('end-sessions', 'sessions.end_all')
    .description('End all sessions of a user.')
    .argument('<user>', 'id or name of the user')
    .action(async (user: string, _options: object, command: Command) => {
      const { panel, out } = await openPanelSession(command);
      const { body } = await panel.call('sessions.end_all', { query: { user: await userIdOf(panel, user) } });
      await out.result(body, () => (body.ended === 1 ? 'ended 1 session' : `ended ${body.ended} sessions`));
    });
}
