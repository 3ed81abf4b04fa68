import type { Command } from 'commander';
import { confirmRemoval, withYes, type YesFlag } from '../../confirm.ts';
import type { WaitOptions } from '../operation/start.ts';
import { nodeCommand, onNode } from './on-node.ts';
import { whatGoesWith } from './what-goes.ts';

export function nodeRemove(): Command {
  return withYes(nodeCommand('remove', 'nodes.remove')).action(
    (node: string, { yes, ...options }: WaitOptions & YesFlag, command: Command) =>
      onNode(command, node, options, async (client, id) => {
        await confirmRemoval(yes === undefined ? {} : { yes }, `removing ${node}`, () => whatGoesWith(client, id));
        return client.call('nodes.remove', { params: { id } });
      }),
  );
}
