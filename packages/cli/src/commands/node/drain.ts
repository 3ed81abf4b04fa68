import type { Command } from 'commander';
import { seconds } from '../../arguments.ts';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeDrain(): Command {
  return nodeCommand('drain', 'nodes.drain')
    .option('--deadline <duration>', 'when to give up (default: as the settings say)', seconds)
    .action((node: string, options: WaitOptions & { readonly deadline?: number }, command: Command) => {
      const body = { deadline_s: options.deadline };
      return onNode(command, node, options, (client, id) => client.call('nodes.drain', { params: { id }, body }));
    });
}
