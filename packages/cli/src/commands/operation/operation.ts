import { noun } from '../../derived/noun.ts';
import { operationFields } from '../../print/operation-fields.ts';
import { operationWait } from './wait.ts';

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
