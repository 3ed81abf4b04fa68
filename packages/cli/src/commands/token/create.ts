import type { Command } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { moment } from '../../moment.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { handOverSecret, secretFileOption } from './secret.ts';

interface Options {
  readonly team: string;
  readonly surface: string;
  readonly environment: string;
  readonly expires: string;
  readonly role?: string;
  readonly uses?: number;
  readonly tag?: string[];
  readonly secretFile?: string;
}

export function tokenCreate(): Command {
  return operationCommand('create', 'tokens.create')
    .argument('<name>', 'what people will call it')
    .requiredOption('--team <team>', 'the team it is for; "*" for all')
    .requiredOption('--surface <surface>', 'the surface it is for, such as git; "*" for all')
    .requiredOption('--environment <environment>', 'the environment it is for; "*" for all')
    .requiredOption('--expires <when>', 'a timestamp, or a duration such as 30d or 12h', moment('ahead'))
    .option('--role <role>', 'what it may do; by default what the settings give to the surface, else viewer')
    .option('--uses <count>', 'how many nodes it may enrol (default: any number)', wholeNumber)
    .option('--tag <tag...>', 'a tag it may put on nodes although its scope does not own it, such as role:dba')
    .addOption(secretFileOption())
    .action(async (name: string, options: Options, command: Command) => {
      const { team, surface, environment, expires, role, uses, tag: tags } = options;
      const { client, out } = await openSession(command);
      await handOverSecret(out, options.secretFile, async () => {
        const scope = { team, surface, environment };
        return (await client.call('tokens.create', { body: { name, scope, expires, role, uses, tags } })).body;
      });
    });
}
