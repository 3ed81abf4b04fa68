import {
  NODE_OPERATION_KINDS,
  NODE_OPERATION_STATES,
  type NodeOperation,
  type NodeOperationKind,
  type NodeOperationState,
} from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { nodeIdOf } from '../node/find-node.ts';

interface Options extends PagingOptions {
  readonly node?: string;
  readonly kind?: NodeOperationKind;
  readonly state?: NodeOperationState;
}

export function operationList(): Command {
  const command = operationCommand('list', 'operations.list')
    .option('--node <node>', 'only those on this node, by id or name')
    .addOption(new Option('--kind <kind>', 'only those of this kind').choices(NODE_OPERATION_KINDS))
    .addOption(new Option('--state <state>', 'only those in this state').choices(NODE_OPERATION_STATES));
  return withPaging(command).action(async ({ all, node, ...rest }: Options, self: Command) => {
    const { client, out } = await openSession(self);
    const query = { ...rest, node: node === undefined ? undefined : await nodeIdOf(client, node) };
    await printList(out, all, {
      page: () => client.call('operations.list', { query }),
      every: () => client.pages('operations.list', { query }),
      table: (operations) => operationTable(operations, out),
    });
  });
}

function operationTable(operations: readonly NodeOperation[], out: Output): string {
  const rows = operations.map((operation) => [
    operation.id,
    operation.kind,
    operation.node_name,
    operation.state,
    operation.requested_at,
    operation.requested_by.name,
    operation.reason ?? operation.waits_for ?? '',
  ]);
  const headings = ['ID', 'KIND', 'NODE', 'STATE', 'REQUESTED', 'BY', 'REASON, OR WHAT IT WAITS FOR'];
  return table(headings, rows, (text) => out.strong(text));
}
