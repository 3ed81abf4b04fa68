import { type Argument, Command, type CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { DEFAULT_URL } from './config.ts';
import { exitCodeHelp } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { listed } from './wording.ts';

/** A thing with verbs that are all made by hand: `mesh lab up`. */
export function group(name: string, description = '', verbs: readonly Command[] = []): Command {
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
    .configureHelp({ showGlobalOptions: true, subcommandTerm })
    .configureOutput({ outputError: () => undefined }) // reported once, with every other failure
    .exitOverride((error) => end(command, error));
  nameAllThatIsMissing(command);
  for (const child of command.commands) settle(child);
}

function subcommandTerm(command: Command): string {
  return [command.name(), ...command.registeredArguments.map((one) => argumentWord(one))].join(' ');
}

/** Arguments that a command cannot do without, although the parser takes them for optional. */
const NEEDED = new WeakSet<Argument>();

/** The parser would stop at the first flag or argument that is missing. One message names all of them. */
function nameAllThatIsMissing(command: Command): void {
  const args = command.registeredArguments.filter(({ required }) => required);
  const options = command.options.filter(({ mandatory }) => mandatory);
  if (args.length + options.length === 0) return;
  const flags = options.map((option) => option.flags);
  command.usage([...command.registeredArguments.map((one) => argumentWord(one)), ...flags, '[options]'].join(' '));
  for (const argument of args) {
    NEEDED.add(argument);
    argument.required = false;
  }
  for (const option of options) option.mandatory = false;
  command.hook('preAction', (_, asked) => {
    if (asked !== command) return;
    const missing = [
      ...args.filter((argument) => command.args[command.registeredArguments.indexOf(argument)] === undefined),
      ...options.filter((option) => command.getOptionValue(option.attributeName()) === undefined),
    ];
    if (missing.length === 0) return;
    const words = missing.map((one) => ('flags' in one ? one.flags : argumentWord(one)));
    throw usageOf(command, `missing ${listed(words)}`);
  });
}

function argumentWord(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return NEEDED.has(argument) || argument.required ? `<${word}>` : `[${word}]`;
}

/** Help and the version are no failures; everything else that ends the parsing is wrong usage. */
function end(command: Command, error: CommanderError): void {
  if (error.exitCode === 0) process.exit(0);
  if (error.code === 'commander.help') process.exit(2); // a noun without a verb: the help itself says what is missing
  throw usageOf(command, plainMessage(error.message));
}

/** What the parser says of a value, without the parser's own terms. */
function plainMessage(message: string): string {
  return message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/^option '(?:-\w, )?(--[\w.-]+)[^']*' argument '(.*)' is invalid\. /s, 'invalid $1 "$2": ')
    .replace(/^command-argument value '(.*)' is invalid for argument '([^']+)'\. /s, 'invalid <$2> "$1": ')
    .replace(/^unknown option /, 'unknown flag ');
}

function usageOf(command: Command, message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage', hint: `${pathOf(command)} --help` });
}

export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
