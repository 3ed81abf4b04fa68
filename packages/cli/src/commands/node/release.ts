import type { Command } from 'commander';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeRelease(): Command {
  return nodeCommand('release', 'nodes.release').action((node: string, options: WaitOptions, command: Command) =>
    onNode(command, node, options, (client, id) => client.call('nodes.release', { params: { id }, body: {} })),
  );
}
