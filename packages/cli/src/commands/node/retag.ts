import type { Command } from 'commander';
import { orNone } from '../../or-none.ts';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeRetag(): Command {
  return nodeCommand('retag', 'nodes.retag')
    .argument('[tags...]', 'all its tags from now on, such as role:git team:platform')
    .option('--none', 'take every tag away')
    .action((node: string, given: string[], options: WaitOptions & { readonly none?: true }, command: Command) => {
      const tags = orNone(given, options.none, 'tags');
      return onNode(command, node, options, (client, id) =>
        client.call('nodes.retag', { params: { id }, body: { tags } }),
      );
    });
}
