/** Makes a command of an operation: its flags and arguments, and the request that they ask for. */
import type { AnswerOf, HttpOperation, OperationId, Operations } from '@meshwork/contract';
import { Command, Option } from 'commander';
import { confirmRemoval, withYes } from '../confirm.ts';
import { waitOption } from '../print/followed-operation.ts';
import { withPaging } from '../print/list.ts';
import { readSource, SOURCE_HELP } from '../read-source.ts';
import { sendingText } from '../refused-text.ts';
import { openPanelSession, openSession, type Session } from '../session.ts';
import type { AnyClient, CommandWords, Confirmation, DerivedRequest, Running } from '../words/command-words.ts';
import { addParameters, givenFor } from './flags.ts';
import { type Api, operationOf, verbOf } from './operations.ts';
import { isPaged, type Parameter, parametersOf } from './parameters.ts';
import {
  type Derived,
  type Flags,
  isFollowed,
  printAnswer,
  printList,
  type Subject,
  watchRecord,
} from './print-answer.ts';
import { refusedRequest } from './refused-request.ts';
import { requestOf } from './request.ts';

export function deriveCommand(derived: Derived): Command {
  const { api, id, words } = derived;
  const operation = operationOf(api, id);
  const parameters = parametersOf(operation, derived.thing, words);
  const { summary = operation.summary, description = `${summary}. ${operation.description ?? ''}`.trim() } = words;
  const command = new Command(words.verb ?? verbOf(id)).summary(summary).description(description);
  addParameters(command, parameters);
  if (operation.text !== undefined) command.argument('<file>', SOURCE_HELP);
  for (const argument of words.own_arguments?.() ?? []) command.addArgument(argument);
  for (const option of words.options?.() ?? []) command.addOption(option);
  if (isPaged(operation) && words.whole !== true) withPaging(command);
  if (canWatch(derived, operation)) command.addOption(new Option('--watch', 'print it again when it changes'));
  if (isFollowed(operation) && words.run === undefined) command.addOption(waitOption());
  if (asks(derived)) withYes(command);
  if (api === 'panel') command.addOption(panelUrlOption());
  if (words.help !== undefined) command.addHelpText('after', `\n${words.help}`);
  return command.action(() => run(command, { derived, operation, parameters }));
}

function panelUrlOption(): Option {
  return new Option(
    '--panel-url <url>',
    'where the panel is (MESH_PANEL_URL; port 7480 beside a coordinator on this machine)',
  );
}

function canWatch({ watches, words }: Derived, { method }: HttpOperation): boolean {
  return method === 'GET' && watches.length > 0 && words.run === undefined;
}

function asks({ id, words }: Derived): boolean {
  return words.confirm !== false && (words.confirm !== undefined || (words.verb ?? verbOf(id)) === 'remove');
}

async function run(command: Command, subject: Subject): Promise<void> {
  const { derived, operation, parameters } = subject;
  const { words } = derived;
  const given = givenFor(command, parameters);
  const request = requestOf(operation, given, { parameters, words });
  const source = operation.text === undefined ? undefined : await readSource(String(command.processedArgs.at(-1)));
  const { client, session } = await openClient(command, derived.api);
  const { out } = session;
  const options: Flags = command.opts();
  const named = Object.values(request.params).join(' ');
  const running: Running = {
    client,
    session,
    out,
    request,
    given: named,
    source: source ?? { name: '', text: '' },
    words: command.processedArgs.slice(parameters.filter(({ argument }) => argument).length),
    options: command.opts(),
    send: async (more) => {
      const ask = (body: unknown) => client.call(derived.id, { ...request, body, ...more });
      return (await (source === undefined ? ask(request.body) : sendingText(source, ask))).body;
    },
    show: (answer) => printAnswer(answer, { ...subject, session, options, request, given: named }),
  };
  try {
    await findNamed(client, request, given);
    if (asks(derived)) {
      const { what, describe } = confirmationOf(running, derived);
      await confirmRemoval(options.yes === true ? { yes: true } : {}, what, describe);
    }
    if (words.run !== undefined) return await words.run(running);
    if (isPaged(operation)) return await printList(running, subject, options);
    if (options.watch === true) return await watchRecord(running, subject);
    await running.show(await running.send());
  } catch (error) {
    throw refusedRequest(error, parameters);
  }
}

/** Puts what the API takes in the place of what people wrote. */
async function findNamed(
  client: AnyClient,
  request: DerivedRequest,
  given: ReadonlyMap<Parameter, unknown>,
): Promise<void> {
  for (const [{ place, path, words }, value] of given) {
    const [member = ''] = path;
    if (words.find === undefined || typeof value !== 'string') continue;
    const found = await words.find(client, value);
    if (place === 'params') request.params[member] = found;
    else if (place === 'query') request.query[member] = found;
    else request.body = { ...(request.body as object), [member]: found };
  }
}

async function openClient(command: Command, api: Api): Promise<{ client: AnyClient; session: Session }> {
  if (api === 'coordinator') {
    const session = await openSession(command);
    return { client: session.client as unknown as AnyClient, session };
  }
  const { url, panel, out } = await openPanelSession(command);
  const client = panel as unknown as AnyClient;
  // Only what is asked of the coordinator is followed or watched: `session.client` is not used for the panel.
  return { client, session: { url, client: panel as unknown as Session['client'], out } };
}

function confirmationOf(running: Running, { words, thing, id }: Derived): Confirmation {
  if (words.confirm !== undefined && words.confirm !== false) return words.confirm.ask(running);
  const what = `${thing} ${running.given}`.trim();
  const verb = words.verb ?? verbOf(id);
  return { what: `${verb.replace(/e$/, '')}ing ${what}`, describe: () => `This will ${verb} ${what}.` };
}

/** A command without a noun, such as `mesh whoami`. */
export function deriveTopLevel<Id extends OperationId>(
  id: Id,
  words: CommandWords<AnswerOf<Operations[Id]>>,
  watches: readonly string[] = [],
): Command {
  return deriveCommand({ api: 'coordinator', id, noun: '', thing: '', words, records: {}, watches });
}
