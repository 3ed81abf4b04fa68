import type { AnswerOf, Operations } from '@meshwork/contract';
import { Option } from 'commander';
import { writeWhole } from '../../new-file.ts';
import { counted } from '../../wording.ts';
import type { CommandWords, ParameterWords } from '../../words/command-words.ts';

/** The whole trail in one stream, which only this operation has. */
export function exportAudit(
  parameters: Readonly<Record<string, ParameterWords>>,
): CommandWords<AnswerOf<Operations['audit.list']>> {
  return {
    verb: 'export',
    summary: 'Export audit records',
    description: 'Read all audit records, oldest first, a JSON document a line.',
    help: 'Without filters, `mesh audit verify --file` can check the export later, on its own.',
    parameters,
    whole: true,
    options: () => [new Option('--out <file>', 'write it to this new file (mode 600), whole or not at all')],
    async run({ session, request, options, out }) {
      const file = options.out as string | undefined;
      const entries = session.client.lines('audit.list', { query: request.query });
      if (file === undefined) {
        for await (const entry of entries) await out.item(entry);
        return;
      }
      let count = 0;
      await writeWhole(file, { mode: 0o600, replace: false }, async (write) => {
        for await (const entry of entries) {
          await write(`${JSON.stringify(entry)}\n`);
          count += 1;
        }
      });
      await out.result({ file, entries: count }, () => `wrote ${counted(count, 'entry')} to ${file}`);
    },
  };
}
