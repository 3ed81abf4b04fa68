import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { printable } from '../../terminal-text.ts';
import { versionWords } from './policy-words.ts';

export function aclVersion(): Command {
  return operationCommand('version', 'acls.version')
    .argument('<n>', 'number of the version', wholeNumber)
    .action(async (n: number, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('acls.version', { params: { n: String(n) } });
      if (out.json) return out.result(body, () => '');
      out.notice(printable(versionWords(body)));
      await out.verbatim(body.text);
    });
}
