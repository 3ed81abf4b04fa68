import type { Command } from 'commander';
import { fromNow } from '../duration.ts';
import { operationCommand } from '../program.ts';
import { permissionFields, scopeText } from '../rights-text.ts';
import { openSession } from '../session.ts';
import { fields } from '../table.ts';

export function whoami(): Command {
  return operationCommand('whoami', 'self.whoami').action(async (_options: object, command: Command) => {
    const { client, out } = await openSession(command);
    const { body } = await client.call('self.whoami');
    await out.result(body, () =>
      fields([
        ['name', body.actor.name],
        ['id', body.actor.id ?? '-'],
        ['role', body.role],
        ['scope', scopeText(body.scope)],
        ['state', body.state],
        ['expires', `${body.expires} (${fromNow(body.expires, Date.now())})`],
        ...permissionFields(body.permissions),
      ]),
    );
  });
}
