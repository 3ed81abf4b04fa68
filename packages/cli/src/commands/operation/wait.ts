import { Argument, Command } from 'commander';
import { idOf, waitSeconds } from '../../arguments.ts';
import { COMPLETES } from '../../derived/flags.ts';
import { finishOperation } from '../../print/followed-operation.ts';
import { openSession } from '../../session.ts';

export function operationWait(): Command {
  const operation = new Argument('<operation>', 'id of the operation').argParser(idOf('operation'));
  COMPLETES.set(operation, 'operation');
  return new Command('wait')
    .description('Follow an operation until it is verified, or ends otherwise.')
    .addArgument(operation)
    .option('--timeout <time>', 'for so many seconds, or such as 5m (default: until its end)', waitSeconds)
    .action(async (id: string, options: { readonly timeout?: number }, command: Command) => {
      const session = await openSession(command);
      const { body } = await session.client.call('operations.show', { params: { id } });
      await finishOperation(session, body, options.timeout);
    });
}
