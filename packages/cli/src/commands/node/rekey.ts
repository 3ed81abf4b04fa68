import type { Command } from 'commander';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeRekey(): Command {
  return nodeCommand('rekey', 'nodes.rekey').action((node: string, options: WaitOptions, command: Command) =>
    onNode(command, node, options, (client, id) => client.call('nodes.rekey', { params: { id }, body: {} })),
  );
}
