import type { Command } from 'commander';
import { serve } from '../serve.ts';
import { serviceCommand } from '../service-flags.ts';

export function coordinator(): Command {
  return serviceCommand('coordinator', ['coordinator'])
    .description('Run the coordinator in this process, printing nothing but its structured logs.')
    .action(async (_options: object, command: Command) => {
      const { readConfig, startCoordinator } = await import('@meshwork/coordinator');
      await serve(command, { readConfig, start: startCoordinator });
    });
}
