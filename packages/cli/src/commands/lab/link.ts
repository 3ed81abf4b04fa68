import { Command } from 'commander';
import { outputOf } from '../../session.ts';
import { inLab, meantLab, NAME_FLAG, type NameOption, thisProgram } from './in-lab.ts';

export function labCut(): Command {
  return linkCommand('cut', 'Cut the link between two nodes or sites, or one of them and the coordinator. Needs root.');
}

export function labMend(): Command {
  return linkCommand('mend', 'Mend a link that was cut. Needs root.');
}

function linkCommand(verb: 'cut' | 'mend', description: string): Command {
  return new Command(verb)
    .description(description)
    .option(...NAME_FLAG)
    .argument('<node>', 'a node or site, or coordinator')
    .argument('<node>', 'another node or site, or coordinator')
    .action(async (one: string, other: string, option: NameOption, command: Command) => {
      await inLab(async (labs) => {
        const lab = await labs.Lab.open(await meantLab(labs, option), thisProgram());
        await lab[verb](one, other);
        const state = verb === 'cut' ? 'cut' : 'whole';
        await outputOf(command).result({ link: [one, other], state }, () => `${one} and ${other}: ${state}`);
      });
    });
}
