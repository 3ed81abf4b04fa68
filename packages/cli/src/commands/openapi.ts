import { Command } from 'commander';
import { writeWhole } from '../new-file.ts';
import { openAnonymousSession } from '../session.ts';

export function openapi(): Command {
  return new Command('openapi')
    .description('Print the OpenAPI document of the coordinator.')
    .option('--out <file>', 'write it to this file, replacing it')
    .action(async (options: { out?: string }, command: Command) => {
      const { client, out } = await openAnonymousSession(command);
      const { body } = await client.call('meta.openapi');
      const text = `${JSON.stringify(body, null, 2)}\n`;
      if (options.out === undefined) return out.write(text);
      await writeWhole(options.out, { mode: 0o644, replace: true }, (write) => write(text));
      await out.result({ file: options.out }, () => `wrote ${options.out}`);
    });
}
