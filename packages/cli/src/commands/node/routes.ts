import type { Command } from 'commander';
import { orNone } from '../../or-none.ts';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeRoutes(): Command {
  return nodeCommand('routes', 'nodes.approve_routes')
    .argument('[networks...]', 'all the networks that it may forward to from now on, such as 10.20.0.0/16')
    .option('--none', 'let it forward to none')
    .action((node: string, given: string[], options: WaitOptions & { readonly none?: true }, command: Command) => {
      const approved = orNone(given, options.none, 'networks');
      return onNode(command, node, options, (client, id) =>
        client.call('nodes.approve_routes', { params: { id }, body: { approved } }),
      );
    });
}
