import type { Lab } from '@meshwork/lab';
import { Command } from 'commander';
import { outputOf } from '../../session.ts';
import { table } from '../../table.ts';
import { inLab, thisProgram } from './in-lab.ts';

export function labList(): Command {
  return new Command('list')
    .description('The labs on this machine. Needs root.')
    .action(async (_options: object, command: Command) => {
      const out = outputOf(command);
      await inLab(async ({ Lab }) => {
        const labs = await Promise.all((await Lab.names()).map((name) => Lab.open(name, thisProgram())));
        await out.result(labs.map(labFacts), () => {
          const rows = labs
            .map(labFacts)
            .map(({ name, nodes, coordinator }) => [name, String(nodes.length), coordinator]);
          return table(['NAME', 'NODES', 'COORDINATOR'], rows, (text) => out.strong(text));
        });
      });
    });
}

function labFacts({ plan, record }: Lab) {
  return { name: plan.name, nodes: plan.nodes.map(({ name }) => name), coordinator: record.coordinator };
}
