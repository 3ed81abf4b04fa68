import type { Command } from 'commander';
import { panelFields } from '../panel-fields.ts';
import { serve } from '../serve.ts';
import { serviceCommand } from '../service-flags.ts';
import { outputOf } from '../session.ts';
import { fields } from '../table.ts';

export function panel(): Command {
  return serviceCommand('panel', ['panel'])
    .description('Run the panel in this process, beside a coordinator that runs elsewhere.')
    .action(async (_options: object, command: Command) => {
      const { readConfig, startPanel } = await import('@meshwork/panel');
      await serve(command, {
        readConfig,
        start: startPanel,
        // The code for the first owner is for the person who starts it, and not for those who collect the logs.
        started: (running) => {
          const rows = panelFields(running);
          if (rows.length > 1) outputOf(command).notice(`\n${fields(rows)}\n`);
        },
      });
    });
}
