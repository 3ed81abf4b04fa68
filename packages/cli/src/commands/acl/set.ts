import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { readSource, SOURCE_HELP } from '../../read-source.ts';
import { sendingText } from '../../refused-text.ts';
import { openSession } from '../../session.ts';
import { ifVersionOption, noteOption, policyToReplace, type WriteOptions } from './in-effect.ts';
import { changeWords, lapsedWords, warningLines } from './policy-words.ts';

const SET_HELP =
  'Replace the policy, by JSON or JSON with comments. Refused when anything is wrong with it, or when one of its own tests fails. The same text once more changes nothing. Say with --if-version which version you started from, so that nobody’s change is lost.';

export function aclSet(): Command {
  return operationCommand('set', 'acls.replace')
    .description(SET_HELP)
    .argument('<file>', SOURCE_HELP)
    .addOption(noteOption())
    .addOption(ifVersionOption())
    .action(async (file: string, { note, ifVersion }: WriteOptions, command: Command) => {
      const source = await readSource(file);
      const { client, out } = await openSession(command);
      const { before, if_match } = await policyToReplace(client, ifVersion);
      const { body } = await sendingText(source, (text) =>
        client.call('acls.replace', { query: { note }, body: text, if_match }),
      );
      await out.result(body, () => changeWords(before.version, body));
      const lapsed = lapsedWords(body);
      if (lapsed !== undefined) out.notice(lapsed);
      for (const line of warningLines(body.warnings)) out.notice(line);
    });
}
