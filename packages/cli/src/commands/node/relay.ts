import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

type Options = WaitOptions & { readonly auto?: true };

export function nodeRelay(): Command {
  return nodeCommand('relay', 'nodes.move_relay')
    .argument('[relay]', 'name of the relay')
    .option('--auto', 'let the coordinator choose again')
    .action((node: string, given: string | undefined, options: Options, command: Command) => {
      if ((given === undefined) !== (options.auto === true)) {
        throw new Failure('name a relay, or say --auto', { exit: 'usage', code: 'usage' });
      }
      const body = { relay: given ?? null };
      return onNode(command, node, options, (client, id) => client.call('nodes.move_relay', { params: { id }, body }));
    });
}
