import type { Command } from 'commander';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';

export function nodeUndrain(): Command {
  return nodeCommand('undrain', 'nodes.undrain').action((node: string, options: WaitOptions, command: Command) =>
    onNode(command, node, options, (client, id) => client.call('nodes.undrain', { params: { id }, body: {} })),
  );
}
