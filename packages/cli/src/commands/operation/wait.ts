import type { OperationRunId } from '@meshwork/contract';
import { Command } from 'commander';
import { operationId, waitSeconds } from '../../arguments.ts';
import { openSession } from '../../session.ts';
import { finishOperation } from './follow.ts';

export function operationWait(): Command {
  return new Command('wait')
    .description('Follow an operation until it is verified, or ends otherwise.')
    .argument('<id>', 'id of the operation', operationId)
    .option('--timeout <time>', 'for so many seconds, or such as 5m (default: until its end)', waitSeconds)
    .action(async (id: OperationRunId, options: { readonly timeout?: number }, command: Command) => {
      const session = await openSession(command);
      const { body } = await session.client.call('operations.show', { params: { id } });
      await finishOperation(session, body, options.timeout);
    });
}
