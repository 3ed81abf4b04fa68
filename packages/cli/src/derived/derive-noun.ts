import { EVENT_TYPES } from '@meshwork/contract';
import { Command } from 'commander';
import type { CommandWords, ParameterWords } from '../words/command-words.ts';
import { deriveCommand } from './derive-command.ts';
import { type More, type Noun, operationsOf, verbOrder } from './noun.ts';
import { areaOfId, operationOf, singular } from './operations.ts';
import type { Records } from './print-answer.ts';

/** What all nouns share. */
interface Commands {
  readonly records: Records;
  /** Operations that have no command, each with the reason. */
  readonly without: Readonly<Record<string, string>>;
}

export function deriveNoun(noun: Noun, commands: Commands): Command {
  const command = new Command(noun.noun).description(noun.description);
  const verbs = [
    ...operationsOf(noun, commands.without).map((id) => verb(noun, { id, words: noun.commands[id] ?? {} }, commands)),
    ...(noun.more ?? []).map((more) => verb(noun, more, commands)),
  ];
  for (const one of verbs.toSorted((a, b) => verbOrder(a.name()) - verbOrder(b.name()))) command.addCommand(one);
  return command;
}

/** The operation that a command is for, as `coordinator nodes.list`. */
export const OPERATION_OF = new WeakMap<Command, string>();

function verb(noun: Noun, more: More, commands: Commands): Command {
  if (typeof more === 'function') return more();
  const command = more.words.made?.() ?? derivedVerb(noun, more, commands);
  OPERATION_OF.set(command, `${noun.api} ${more.id}`);
  return command;
}

function derivedVerb(noun: Noun, { id, words }: Exclude<More, () => Command>, { records }: Commands): Command {
  const { api, thing } = noun;
  return deriveCommand({
    api,
    id,
    noun: noun.noun,
    thing,
    words: withIds(noun, id, words),
    records,
    watches: watches(noun, id),
  });
}

/** The words for the id in the path, unless the command has its own. */
function withIds({ api, ids, noun }: Noun, id: string, words: CommandWords): CommandWords {
  const { params } = operationOf(api, id);
  const [name = ''] = Object.keys(params?.properties ?? {});
  const own = words.parameters?.[name];
  if (params === undefined || own !== undefined) return words;
  const known: ParameterWords = { completes: noun, ...(ids === undefined ? {} : { id_of: ids }) };
  return { ...words, parameters: { ...words.parameters, [name]: known } };
}

/** The stream of events is the coordinator's. An area whose kind has no events cannot be watched. */
function watches({ api, watches: named }: Noun, id: string): readonly string[] {
  if (api !== 'coordinator') return [];
  if (named !== undefined) return named;
  const kind = singular(areaOfId(id));
  return EVENT_TYPES.some((type) => type.startsWith(`${kind}.`)) ? [kind] : [];
}
