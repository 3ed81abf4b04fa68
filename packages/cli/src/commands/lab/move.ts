import { Command } from 'commander';
import { outputOf } from '../../session.ts';
import { inLab, meantLab, NAME_FLAG, type NameOption, outsideText, thisProgram } from './in-lab.ts';

export function labMove(): Command {
  return new Command('move')
    .description('Move a node to another site while its agent runs. Needs root.')
    .option(...NAME_FLAG)
    .argument('<node>', 'which node')
    .argument('<site>', 'a site of the lab, or internet, outside of all sites')
    .action(async (node: string, site: string, option: NameOption, command: Command) => {
      await inLab(async (labs) => {
        const lab = await labs.Lab.open(await meantLab(labs, option), thisProgram());
        await lab.move(node, site);
        const { planned } = lab.node(node);
        const moved = { node, site: planned.site, address: planned.address };
        await outputOf(command).result(moved, () => `${node} is at ${outsideText(planned)}`);
      });
    });
}
