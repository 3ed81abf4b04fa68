/** How the answer to a command is printed: a record, a list, an operation that is followed, or that something is gone. */
import type { HttpOperation, NodeOperation } from '@meshwork/contract';
import type { Output } from '../output.ts';
import { printOperation } from '../print/followed-operation.ts';
import {
  type Listing,
  listNotice,
  type PagingOptions,
  printEvery,
  readPage,
  readShown,
  type ShownList,
  tableText,
} from '../print/list.ts';
import { recordText } from '../print/record.ts';
import { watch } from '../print/watch.ts';
import type { Session } from '../session.ts';
import type { CommandWords, DerivedRequest, Running } from '../words/command-words.ts';
import { itemOf, type Schema, schemaName } from '../words/schema.ts';
import { usage } from './flags.ts';
import { type Api, verbOf } from './operations.ts';
import type { Parameter } from './parameters.ts';

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

export interface Flags extends PagingOptions {
  readonly wait?: number | true;
  readonly watch?: boolean;
  readonly yes?: boolean;
}

export interface Subject {
  readonly derived: Derived;
  readonly operation: HttpOperation;
  readonly parameters: readonly Parameter[];
}

export function isFollowed({ answer }: HttpOperation): boolean {
  return answer.status === 202 && schemaName(answer.schema as Schema) === 'Operation';
}

interface Printing extends Subject {
  readonly session: Session;
  readonly options: Flags;
  readonly request: DerivedRequest;
  readonly given: string;
}

export async function printAnswer(answer: unknown, printing: Printing): Promise<void> {
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

export async function watchRecord(running: Running, subject: Subject): Promise<void> {
  const { out, session } = running;
  await watch(session, subject.derived.watches, {
    read: () => running.send(),
    text: (answer) => answerText(answer, subject, out),
  });
}

export async function printList(
  { client, out, session, request }: Running,
  subject: Subject,
  flags: Flags,
): Promise<void> {
  const { derived, operation } = subject;
  const { words, id, watches } = derived;
  const thing = words.thing ?? derived.thing;
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
}
