import type { Command } from 'commander';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeApprove(): Command {
  return nodeCommand('approve', 'nodes.approve').action((node: string, options: WaitOptions, command: Command) =>
    onNode(command, node, options, (client, id) => client.call('nodes.approve', { params: { id }, body: {} })),
  );
}
