import {
  OPERATIONS,
  type Operation,
  type OperationId,
  PANEL_OPERATIONS,
  type PanelOperation,
  type PanelOperationId,
} from '@meshwork/contract';
import { Command, type CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { DEFAULT_URL } from './config.ts';
import { exitCodeHelp } from './exit-codes.ts';
import { Failure } from './failure.ts';

/** A command that is an operation of the API, described as the API describes it. */
export function operationCommand(name: string, id: OperationId): Command {
  const { summary, description }: Operation = OPERATIONS[id];
  return new Command(name).summary(summary).description(`${summary}. ${description ?? ''}`.trim());
}

/** The same for an operation of the panel. */
export function panelCommand(name: string, id: PanelOperationId): Command {
  const { summary, description }: PanelOperation = PANEL_OPERATIONS[id];
  return new Command(name)
    .summary(summary)
    .description(`${summary}. ${description ?? ''}`.trim())
    .option('--panel-url <url>', 'where the panel is (MESH_PANEL_URL; port 7480 beside a coordinator on this machine)');
}

/** A thing with verbs: `mesh token create`. */
export function noun(name: string, description = '', verbs: readonly Command[] = []): Command {
  const command = new Command(name).description(description);
  for (const verb of verbs) command.addCommand(verb);
  return command;
}

export function program(commands: readonly Command[]): Command {
  const mesh = new Command('mesh')
    .description('Meshwork: the control plane of a private WireGuard mesh.')
    .version(packageJson.version)
    .option('--url <url>', `where the coordinator is (MESH_URL; ${DEFAULT_URL} when neither is given)`)
    .option('--token-file <file>', 'file with the token to use, in place of MESH_TOKEN')
    .option('--config <file>', 'file with KEY=VALUE lines; the environment wins over it')
    .option('--json', 'print JSON for programs, and errors as problem documents')
    .option('--no-color', 'print without colours (also NO_COLOR)')
    .addHelpText('after', `\n${TOKEN_HELP}\n\n${exitCodeHelp()}`);
  for (const command of commands) mesh.addCommand(command);
  settle(mesh);
  return mesh;
}

const TOKEN_HELP = `The token comes from --token-file, else from MESH_TOKEN, else, towards this machine, from the
bootstrap-token file in MESH_DATA_DIR. There is no flag for the token itself: it would show in
the process list and in the history of the shell.`;

/** The same manners for every command. Options for all may stand anywhere, before the command or after it. */
function settle(command: Command): void {
  command
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined }) // reported once, with every other failure
    .exitOverride((error) => end(command, error));
  for (const child of command.commands) settle(child);
}

/** Help and the version are no failures; everything else that ends the parsing is wrong usage. */
function end(command: Command, error: CommanderError): void {
  if (error.exitCode === 0) process.exit(0);
  if (error.code === 'commander.help') process.exit(2); // a noun without a verb: the help itself says what is missing
  throw new Failure(error.message.replace(/^error: /, '').replaceAll('\n', ' '), {
    exit: 'usage',
    code: 'usage',
    hint: `${pathOf(command)} --help`,
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
