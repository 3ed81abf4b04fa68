import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ifVersionOption, noteOption, policyToReplace, type WriteOptions } from './in-effect.ts';
import { changeWords, warningLines } from './policy-words.ts';

export function aclRestore(): Command {
  return operationCommand('restore', 'acls.restore')
    .argument('<n>', 'number of the version', wholeNumber)
    .addOption(noteOption())
    .addOption(ifVersionOption())
    .action(async (n: number, { note, ifVersion }: WriteOptions, command: Command) => {
      const { client, out } = await openSession(command);
      const { before, if_match } = await policyToReplace(client, ifVersion);
      const { body } = await client.call('acls.restore', { params: { n: String(n) }, query: { note }, if_match });
      await out.result(body, () => changeWords(before.version, body));
      for (const line of warningLines(body.warnings)) out.notice(line);
    });
}
