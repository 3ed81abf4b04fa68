import type { Command } from 'commander';
import { deriveTopLevel } from '../derived/derive-command.ts';
import { permissionFields, scopeText } from '../rights-text.ts';
import { fields } from '../table.ts';
import { when } from '../when.ts';

export function whoami(): Command {
  return deriveTopLevel('self.whoami', {
    print: ({ actor, role, scope, state, expires, permissions }) =>
      fields([
        ['name', actor.name],
        ['id', actor.id ?? '-'],
        ['role', role],
        ['scope', scopeText(scope)],
        ['state', state],
        ['expires', when(expires)],
        ...permissionFields(permissions),
      ]),
  });
}
