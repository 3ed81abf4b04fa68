import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { nodeIdOf } from './find-node.ts';
import { nodeFields } from './node-fields.ts';

export function nodeShow(): Command {
  return operationCommand('show', 'nodes.show')
    .argument('<node>', 'id or name of the node')
    .action(async (node: string, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('nodes.show', { params: { id: await nodeIdOf(client, node) } });
      await out.result(body, () => nodeFields(body));
    });
}
