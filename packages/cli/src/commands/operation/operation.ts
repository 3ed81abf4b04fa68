import { Argument, Command } from 'commander';
import { idOf, waitSeconds } from '../../arguments.ts';
import { COMPLETES } from '../../derived/flags.ts';
import { noun } from '../../derived/noun.ts';
import { finishOperation } from '../../print/followed-operation.ts';
import { operationFields } from '../../print/operation-fields.ts';
import { openSession } from '../../session.ts';

export const operation = noun({
  noun: 'operation',
  ids: 'operation',
  records: { Operation: operationFields, OperationWithResult: operationFields },
  commands: {
    'operations.list': {
      parameters: {
        node: { help: 'only those on this node, by id or name' },
        kind: { help: 'only those of this kind' },
        state: { help: 'only those in this state' },
      },
      columns: [
        ['ID', ({ id }) => id],
        ['KIND', ({ kind }) => kind],
        ['NODE', ({ node_name }) => node_name],
        ['STATE', ({ state }) => state],
        ['REQUESTED', ({ requested_at }) => requested_at],
        ['BY', ({ requested_by }) => requested_by.name],
        ['REASON, OR WHAT IT WAITS FOR', ({ reason, waits_for }) => reason ?? waits_for ?? ''],
      ],
    },
    'operations.show': { summary: 'Show an operation', description: 'Show an operation on a node.', without: ['wait'] },
  },
  more: [operationWait],
});

function operationWait(): Command {
  const operation = new Argument('<operation>', 'id of the operation').argParser(idOf('operation'));
  COMPLETES.set(operation, 'operation');
  return new Command('wait')
    .description('Follow an operation until it is verified, or ends otherwise.')
    .addArgument(operation)
    .option('--timeout <time>', 'how long to wait: seconds, or such as 5m (default: until it ends)', waitSeconds)
    .action(async (id: string, options: { readonly timeout?: number }, command: Command) => {
      const session = await openSession(command);
      const { body } = await session.client.call('operations.show', { params: { id } });
      await finishOperation(session, body, options.timeout);
    });
}
