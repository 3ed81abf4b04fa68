import type { Client, Reply } from '@meshwork/client';
import type { NodeOperation, OperationId } from '@meshwork/contract';
import type { Command } from 'commander';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { startOperation, type WaitOptions, waitOption } from '../operation/start.ts';
import { nodeIdOf } from './find-node.ts';

/** A command that asks something of one node, which a later heartbeat proves. */
export function nodeCommand(name: string, id: OperationId): Command {
  return operationCommand(name, id).argument('<node>', 'id or name of the node').addOption(waitOption());
}

export async function onNode(
  command: Command,
  node: string,
  options: WaitOptions,
  ask: (client: Client, id: string) => Promise<Reply<NodeOperation>>,
): Promise<void> {
  const session = await openSession(command);
  const id = await nodeIdOf(session.client, node);
  await startOperation(session, options, () => ask(session.client, id));
}
