import type { Command } from 'commander';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeQuarantine(): Command {
  return nodeCommand('quarantine', 'nodes.quarantine')
    .option('--reason <text>', 'why, for those who look later')
    .action((node: string, options: WaitOptions & { readonly reason?: string }, command: Command) => {
      const body = { reason: options.reason };
      return onNode(command, node, options, (client, id) => client.call('nodes.quarantine', { params: { id }, body }));
    });
}
