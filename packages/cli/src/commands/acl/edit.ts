import { Command } from 'commander';
import { ask, needsTerminal } from '../../ask.ts';
import { draftOf } from '../../editor.ts';
import { openSession } from '../../session.ts';
import { DRAFT_NAME, editPolicy } from './edit-policy.ts';
import { noteOption, policyToReplace } from './in-effect.ts';
import { changeWords } from './policy-words.ts';

interface Options {
  readonly note?: string;
  readonly yes?: boolean;
}

export function aclEdit(): Command {
  return new Command('edit')
    .description('Edit the policy in your editor, preview the change, and apply it.')
    .addOption(noteOption())
    .option('--yes', 'apply it without asking, if it is valid')
    .addHelpText('after', EDIT_HELP)
    .action(async ({ note, yes }: Options, command: Command) => {
      if (yes !== true) needsTerminal('mesh acl set FILE, or --yes');
      const { client, out } = await openSession(command);
      const { before, if_match } = await policyToReplace(client, undefined);
      const draft = await draftOf(DRAFT_NAME, before.text);
      const tell = (text: string) => void process.stderr.write(`${text}\n`);
      const asked = yes === true ? undefined : ask;
      const changed = await editPolicy({ client, draft, ask: asked, tell, note, before, if_match }).catch(
        async (error: unknown) => {
          const kept = await draft.discardUnchanged();
          if (kept !== undefined) tell(`Your text is kept in ${kept}`);
          throw error;
        },
      );
      await draft.discard();
      await out.result(changed ?? before, () => changeWords(before.version, changed ?? before));
    });
}

const EDIT_HELP = `
The editor is VISUAL, else EDITOR, else vi; its arguments are separated by
spaces, and there is no shell in between. When the policy changes meanwhile,
yours is refused and kept in its file.`;
