import type { Command } from 'commander';
import { EXIT_CODES } from '../../exit-codes.ts';
import { operationCommand } from '../../program.ts';
import { readSource, SOURCE_HELP } from '../../read-source.ts';
import { sendingText } from '../../refused-text.ts';
import { openSession } from '../../session.ts';
import { previewText } from './preview-text.ts';

export function aclPreview(): Command {
  return operationCommand('preview', 'acls.preview')
    .argument('<file>', SOURCE_HELP)
    .addHelpText('after', `\nEnds with ${EXIT_CODES.usage.code} when it would be refused.`)
    .action(async (file: string, _options: object, command: Command) => {
      const source = await readSource(file);
      const { client, out } = await openSession(command);
      const { body } = await sendingText(source, (text) => client.call('acls.preview', { body: text }));
      await out.result(body, () => previewText(body));
      if (body.failed_tests.length > 0) process.exitCode = EXIT_CODES.usage.code;
    });
}
