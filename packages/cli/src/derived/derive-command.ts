/** Makes a command of an operation: its flags and arguments, the request that they ask for, and how the answer is printed. */
import type { AnswerOf, HttpOperation, NodeOperation, OperationId, Operations } from '@meshwork/contract';
import { Command, Option } from 'commander';
import { confirmRemoval, withYes } from '../confirm.ts';
import type { Output } from '../output.ts';
import { printOperation, waitOption } from '../print/followed-operation.ts';
import {
  type Listing,
  listNotice,
  type PagingOptions,
  printEvery,
  readPage,
  readShown,
  type ShownList,
  tableText,
  withPaging,
} from '../print/list.ts';
import { recordText } from '../print/record.ts';
import { watch } from '../print/watch.ts';
import { readSource, SOURCE_HELP } from '../read-source.ts';
import { sendingText } from '../refused-text.ts';
import { openPanelSession, openSession, type Session } from '../session.ts';
import type { AnyClient, CommandWords, Confirmation, DerivedRequest, Running } from './command-words.ts';
import { addParameters, givenFor, usage } from './flags.ts';
import { type Api, operationOf, verbOf } from './operations.ts';
import { isPaged, type Parameter, parametersOf, schemaName } from './parameters.ts';
import { RefusedRequest } from './refused-request.ts';
import { requestOf } from './request.ts';
import { itemOf, type Schema } from './schema.ts';

export type Records = Readonly<Record<string, (record: never, out: Output) => string>>;

export interface Derived {
  readonly api: Api;
  readonly id: string;
  readonly noun: string;
  readonly thing: string;
  readonly words: CommandWords;
  readonly records: Records;
  /** Kinds of events after which what it shows may be another. Empty: it cannot be watched. */
  readonly watches: readonly string[];
}

interface Flags extends PagingOptions {
  readonly wait?: number | true;
  readonly watch?: boolean;
  readonly yes?: boolean;
}

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
  if (canWatch(derived, operation)) command.addOption(new Option('--watch', 'print it again whenever it changes'));
  if (isFollowed(operation) && words.run === undefined) command.addOption(waitOption());
  if (asks(derived)) withYes(command);
  if (api === 'panel') command.addOption(panelUrlOption());
  if (words.help !== undefined) command.addHelpText('after', `\n${words.help}`);
  return command.action(() => run(command, { derived, operation, parameters }));
}

export function panelUrlOption(): Option {
  return new Option(
    '--panel-url <url>',
    'where the panel is (MESH_PANEL_URL; port 7480 beside a coordinator on this machine)',
  );
}

function isFollowed({ answer }: HttpOperation): boolean {
  return answer.status === 202 && schemaName(answer.schema as Schema) === 'Operation';
}

function canWatch({ watches, words }: Derived, { method }: HttpOperation): boolean {
  return method === 'GET' && watches.length > 0 && words.run === undefined;
}

function asks({ id, words }: Derived): boolean {
  return words.confirm !== false && (words.confirm !== undefined || (words.verb ?? verbOf(id)) === 'remove');
}

interface Subject {
  readonly derived: Derived;
  readonly operation: HttpOperation;
  readonly parameters: readonly Parameter[];
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
  await findNamed(client, request, given);
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
    if (asks(derived)) {
      const { what, describe } = confirmationOf(running, derived);
      await confirmRemoval(options.yes === true ? { yes: true } : {}, what, describe);
    }
    if (words.run !== undefined) return await words.run(running);
    if (isPaged(operation)) return await printList(running, subject, options);
    if (options.watch === true) return await watchRecord(running, subject);
    await running.show(await running.send());
  } catch (error) {
    throw RefusedRequest.from(error, parameters);
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
    else request.query[member] = found;
  }
}

async function openClient(command: Command, api: Api): Promise<{ client: AnyClient; session: Session }> {
  if (api === 'coordinator') {
    const session = await openSession(command);
    return { client: session.client as unknown as AnyClient, session };
  }
  const { panel, out } = await openPanelSession(command);
  const client = panel as unknown as AnyClient;
  // Only operations of the coordinator are followed or watched, so that its client is not asked for anything here.
  return { client, session: { client: panel as unknown as Session['client'], out } };
}

function confirmationOf(running: Running, { words, thing, id }: Derived): Confirmation {
  if (words.confirm !== undefined && words.confirm !== false) return words.confirm.ask(running);
  const what = `${thing} ${running.given}`.trim();
  const verb = words.verb ?? verbOf(id);
  return { what: `${verb.replace(/e$/, '')}ing ${what}`, describe: () => `This will ${verb} ${what}.` };
}

interface Printing extends Subject {
  readonly session: Session;
  readonly options: Flags;
  readonly request: DerivedRequest;
  readonly given: string;
}

async function printAnswer(answer: unknown, printing: Printing): Promise<void> {
  const { derived, operation, session, options, request, given } = printing;
  const { words, thing, id } = derived;
  const { out } = session;
  if (operation.answer.status === 204) {
    const done = participle(words.verb ?? verbOf(id));
    await out.result({ ...request.params, [done]: true }, () => `${done} ${thing} ${given}`.trim());
  } else if (isFollowed(operation) && words.print === undefined) {
    await printOperation(session, answer as NodeOperation, options.wait);
  } else {
    await out.result(answer, () => answerText(answer, printing, out));
  }
  words.after?.(answer, out);
}

function answerText(answer: unknown, { derived, operation }: Subject, out: Output): string {
  const schema = operation.answer.schema as Schema | undefined;
  const own = derived.records[schemaName(schema) ?? ''];
  if (derived.words.print !== undefined) return derived.words.print(answer, out);
  const item = itemOf(schema);
  if (item !== undefined) return tableText((answer as ShownList).items, { item, columns: columnsOf(derived) }, out);
  return own === undefined ? recordText(answer, schema) : own(answer as never, out);
}

function columnsOf({ words }: Derived): Listing['columns'] {
  return words.columns as Listing['columns'];
}

/** `remove` → `removed`, `end` → `ended`. */
function participle(verb: string): string {
  return verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
}

async function watchRecord(running: Running, subject: Subject): Promise<void> {
  const { out, session } = running;
  await watch(session, subject.derived.watches, {
    read: () => running.send(),
    text: (answer) => answerText(answer, subject, out),
  });
}

async function printList({ client, out, session, request }: Running, subject: Subject, flags: Flags): Promise<void> {
  const { derived, operation } = subject;
  const { words, id, thing, watches } = derived;
  const item = itemOf(operation.answer.schema as Schema) ?? {};
  const columns = columnsOf(derived);
  const listing: Listing = { client, id, request, thing, item, columns, ordered: words.ordered === true };
  if (flags.watch === true) {
    if (flags.all === true && out.json) throw usage('--watch prints a list as one document; leave out --all');
    return watch(session, watches, {
      read: () => (out.json ? readPage(listing, flags) : readShown(listing, flags)),
      text: (shown) => tableText((shown as ShownList).items, listing, out),
    });
  }
  if (out.json) {
    if (flags.all === true) return printEvery(listing, flags, out);
    return out.result(await readPage(listing, flags), () => '');
  }
  const shown = await readShown(listing, flags);
  if (shown.items.length > 0) await out.write(`${tableText(shown.items, listing, out)}\n`);
  const notice = listNotice(listing, shown);
  if (notice !== undefined) out.notice(notice);
  words.after?.(shown, out);
}

/** A command without a noun, such as `mesh whoami`. */
export function deriveTopLevel<Id extends OperationId>(
  id: Id,
  words: CommandWords<AnswerOf<Operations[Id]>>,
  watches: readonly string[] = [],
): Command {
  return deriveCommand({ api: 'coordinator', id, noun: '', thing: '', words, records: {}, watches });
}
