import { Argument, Command } from 'commander';
import { SCRIPTS, SHELLS, type Shell } from '../completion/scripts.ts';
import { outputOf } from '../session.ts';

const HELP = `
To load completions:

  bash    source <(mesh completion bash)
  zsh     source <(mesh completion zsh)       after compinit
  fish    mesh completion fish | source

To load them in every session, put that line in ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.
Names of nodes, relays, tokens and the like come from the coordinator, with the token that mesh
would use.`;

export function completion(): Command {
  return new Command('completion')
    .summary('Print a completion script for a shell')
    .description('Print a script that completes commands, flags, their values, and names of what is in the mesh.')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell, _options: object, command: Command) => outputOf(command).write(SCRIPTS[shell]));
}
