import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { printable } from '../../terminal-text.ts';
import { lapsedWords, versionWords } from './policy-words.ts';

export function aclShow(): Command {
  return operationCommand('show', 'acls.show')
    .addHelpText('after', '\nThe text goes to standard output as it was written; what is said of it to standard error.')
    .action(async (_options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('acls.show');
      if (out.json) return out.result(body, () => '');
      out.notice(printable(versionWords(body)));
      const lapsed = lapsedWords(body);
      if (lapsed !== undefined) out.notice(printable(lapsed));
      await out.verbatim(body.text);
    });
}
