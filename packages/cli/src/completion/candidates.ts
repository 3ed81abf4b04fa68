/** What can come next on a command line, read from the commands themselves. */
import type { Argument, Command, Option } from 'commander';
import { COMPLETES } from '../derived/flags.ts';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Names of nodes, relays and the like, by noun. */
export type NamesOf = (noun: string, part: string) => Promise<readonly Candidate[]>;

/** `words`: the line after `mesh`, up to the cursor. The last one is being written, and may be empty. */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  namesOf: NamesOf,
): Promise<readonly Candidate[]> {
  const part = words.at(-1) ?? '';
  const place = placeAfter(program, words.slice(0, -1));
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(part) ?? [];
  if (flag !== undefined && value !== undefined) {
    const found = await valuesOf(optionOf(place.command, flag), value, namesOf);
    return found.map((one) => ({ ...one, value: `${flag}=${one.value}` }));
  }
  if (place.option !== undefined && !(place.option.variadic && part.startsWith('-'))) {
    return valuesOf(place.option, part, namesOf);
  }
  if (part.startsWith('-')) return flagsOf(place, part);
  const verbs = place.positions === 0 ? verbsOf(place.command, part) : [];
  return verbs.length > 0 ? verbs : valuesOf(argumentAt(place), part, namesOf);
}

interface Place {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  /** How many arguments there are already. */
  readonly positions: number;
  readonly used: ReadonlySet<Option>;
}

function placeAfter(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, option: undefined, positions: 0, used: new Set() };
  for (const word of words) place = next(place, word);
  return place;
}

function next({ command, option, positions, used }: Place, word: string): Place {
  if (word.startsWith('-')) {
    const found = optionOf(command, word.replace(/=.*$/s, ''));
    const takes = found !== undefined && (found.required || found.optional) && !word.includes('=');
    return {
      command,
      option: takes ? found : undefined,
      positions,
      used: found === undefined ? used : new Set([...used, found]),
    };
  }
  if (option !== undefined) return { command, option: option.variadic ? option : undefined, positions, used };
  const verb = positions === 0 ? command.commands.find((one) => one.name() === word) : undefined;
  if (verb !== undefined) return { command: verb, option: undefined, positions: 0, used };
  return { command, option: undefined, positions: positions + 1, used };
}

/** Those of the command, and those that every command takes. */
function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent === null ? [] : optionsOf(command.parent))];
}

function optionOf(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ long, short }) => long === flag || short === flag);
}

function flagsOf({ command, used }: Place, part: string): Candidate[] {
  const left = optionsOf(command).filter((option) => !option.hidden && (option.variadic || !used.has(option)));
  const flags = left.map(({ long, short, description }) => ({ value: long ?? short ?? '', description }));
  return [...flags, { value: '--help', description: 'display help for command' }].filter(({ value }) =>
    value.startsWith(part),
  );
}

function verbsOf(command: Command, part: string): Candidate[] {
  return command.commands
    .map((one) => ({ value: one.name(), description: one.summary() || one.description() }))
    .filter(({ value }) => value.startsWith(part));
}

function argumentAt({ command, positions }: Place): Argument | undefined {
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  return all[positions] ?? (last?.variadic === true ? last : undefined);
}

async function valuesOf(
  target: Option | Argument | undefined,
  part: string,
  namesOf: NamesOf,
): Promise<readonly Candidate[]> {
  if (target === undefined) return [];
  const noun = COMPLETES.get(target);
  const all =
    target.argChoices === undefined
      ? await (noun === undefined ? [] : namesOf(noun, part))
      : target.argChoices.map((value) => ({ value, description: '' }));
  return all.filter(({ value }) => value.startsWith(part));
}
