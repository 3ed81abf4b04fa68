/** The policy. Its text goes to standard output as it was written, and refusals point into the file that was sent. */
import type { Policy } from '@meshwork/contract';
import { wholeNumber } from '../../arguments.ts';
import { noun } from '../../derived/noun.ts';
import { EXIT_CODES } from '../../exit-codes.ts';
import type { Output } from '../../output.ts';
import { printable } from '../../terminal-text.ts';
import type { CommandWords, Running } from '../../words/command-words.ts';
import { checkText } from './check-text.ts';
import { aclDiff } from './diff.ts';
import { aclEdit } from './edit.ts';
import { ifVersionOption, policyToReplace } from './in-effect.ts';
import { changeWords, lapsedWords, versionNote, versionWords, warningLines } from './policy-words.ts';
import { previewText } from './preview-text.ts';
import { selfCheckText } from './self-check-text.ts';
import { validationText } from './validation-text.ts';

const NOTE = { value: 'text', help: 'why, shown in the version history' };
const VERSION = { flag: 'version', read: versionNumber, completes: '' };

export const acl = noun({
  noun: 'acl',
  thing: 'version',
  description: 'The policy: who may reach what.',
  watches: ['policy'],
  commands: {
    'acls.show': {
      help: 'The text goes to standard output unchanged, details about it to standard error.',
      async run({ send, out }) {
        const policy = await send();
        if (out.json) return out.result(policy, () => '');
        const lapsed = lapsedWords(policy);
        for (const line of [versionWords(policy), lapsed]) if (line !== undefined) out.notice(printable(line));
        await out.verbatim(policy.text);
      },
    },
    'acls.replace': {
      description:
        'Replace the policy with JSON or JSON with comments. It is refused if it is not valid, or if one of its tests fails. The same text again changes nothing. Give the version that you started from as --if-version, so that no change in between is lost.',
      ...replacing((policy, out) => {
        const lapsed = lapsedWords(policy);
        if (lapsed !== undefined) out.notice(lapsed);
      }),
    },
    'acls.validate': {
      help: `Exits with ${EXIT_CODES.usage.code} if it is not valid.`,
      async run({ send, source, out }) {
        const validation = await send();
        await out.result(validation, () => validationText(source, validation));
        if (!validation.valid) process.exitCode = EXIT_CODES.usage.code;
      },
    },
    'acls.preview': {
      help: `Exits with ${EXIT_CODES.usage.code} if it would be refused.`,
      print: previewText,
      after: ({ failed_tests }) => {
        if (failed_tests.length > 0) process.exitCode = EXIT_CODES.usage.code;
      },
    },
    'acls.check': { print: checkText },
    'acls.self_check': { print: selfCheckText },
    'acls.versions': {
      columns: [
        ['VERSION', ({ version }) => String(version)],
        ['WRITTEN', ({ created_at }) => created_at ?? '-'],
        ['BY', ({ created_by }) => created_by?.name ?? '-'],
        ['GROUPS', ({ groups }) => String(groups)],
        ['GRANTS', ({ grants }) => String(grants)],
        ['NOTE', versionNote],
      ],
      ordered: true,
    },
    'acls.version': {
      parameters: { n: VERSION },
      async run({ send, out }) {
        const version = await send();
        if (out.json) return out.result(version, () => '');
        out.notice(printable(versionWords(version)));
        await out.verbatim(version.text);
      },
    },
    'acls.restore': replacing(() => undefined),
  },
  more: [aclEdit, aclDiff],
});

/** A write that says which version it replaces, and what became of it. */
function replacing(besides: (policy: Policy, out: Output) => void): CommandWords<Policy> {
  return {
    parameters: { note: NOTE, n: VERSION },
    options: () => [ifVersionOption()],
    async run({ session, options, send, out }: Running<Policy>) {
      const { before, if_match } = await policyToReplace(session.client, options.ifVersion as number | undefined);
      const policy = await send({ if_match });
      await out.result(policy, () => changeWords(before.version, policy));
      besides(policy, out);
      for (const line of warningLines(policy.warnings)) out.notice(line);
    },
  };
}

function versionNumber(text: string): string {
  return String(wholeNumber(text));
}
