import type { OperationRunId } from '@meshwork/contract';
import type { Command } from 'commander';
import { operationId } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { operationFields } from './operation-fields.ts';

export function operationCancel(): Command {
  return operationCommand('cancel', 'operations.cancel')
    .argument('<id>', 'id of the operation', operationId)
    .action(async (id: OperationRunId, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('operations.cancel', { params: { id } });
      await out.result(body, () => operationFields(body));
    });
}
