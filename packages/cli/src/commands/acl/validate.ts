import type { Command } from 'commander';
import { EXIT_CODES } from '../../exit-codes.ts';
import { operationCommand } from '../../program.ts';
import { readSource, SOURCE_HELP } from '../../read-source.ts';
import { openSession } from '../../session.ts';
import { validationText } from './validation-text.ts';

export function aclValidate(): Command {
  return operationCommand('validate', 'acls.validate')
    .argument('<file>', SOURCE_HELP)
    .addHelpText('after', `\nEnds with ${EXIT_CODES.usage.code} when it could not be put into effect.`)
    .action(async (file: string, _options: object, command: Command) => {
      const source = await readSource(file);
      const { client, out } = await openSession(command);
      const { body } = await client.call('acls.validate', { body: source.text });
      await out.result(body, () => validationText(source, body));
      if (!body.valid) process.exitCode = EXIT_CODES.usage.code;
    });
}
