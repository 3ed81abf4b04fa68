import type { Command } from 'commander';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeRemove(): Command {
  return nodeCommand('remove', 'nodes.remove').action((node: string, options: WaitOptions, command: Command) =>
    onNode(command, node, options, (client, id) => client.call('nodes.remove', { params: { id } })),
  );
}
