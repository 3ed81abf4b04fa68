import type { TokenId } from '@meshwork/contract';
import type { Command } from 'commander';
import { seconds, tokenId } from '../../arguments.ts';
import { moment } from '../../moment.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { handOverSecret, secretFileOption } from './secret.ts';

interface Options {
  readonly deadline?: number;
  readonly expires?: string;
  readonly secretFile?: string;
}

export function tokenRotate(): Command {
  return operationCommand('rotate', 'tokens.rotate')
    .argument('<id>', 'id of the token', tokenId)
    .option('--deadline <duration>', 'how long the old secret stays good; 0 ends it at once (default: 1h)', seconds)
    .option(
      '--expires <when>',
      'of the successor; by default it lives as long as the old one was made for',
      moment('ahead'),
    )
    .addOption(secretFileOption())
    .action(async (id: TokenId, options: Options, command: Command) => {
      const { client, out } = await openSession(command);
      await handOverSecret(out, options.secretFile, async () => {
        const body = { deadline_s: options.deadline, expires: options.expires };
        return (await client.call('tokens.rotate', { params: { id }, body })).body;
      });
    });
}
