/** Parameters of an operation as flags and arguments of a command, and what was given for them. */
import { Argument, type Command, Option } from 'commander';
import { Failure } from '../failure.ts';
import { helpOf } from './help-text.ts';
import type { Parameter } from './parameters.ts';
import { readerOf } from './read-value.ts';

/** Where completion finds what a flag or an argument can be. */
export const COMPLETES = new WeakMap<Option | Argument, string>();

export function addParameters(command: Command, parameters: readonly Parameter[]): void {
  for (const parameter of parameters) {
    if (parameter.argument) addArgument(command, parameter);
    else addFlags(command, parameter);
  }
}

function addArgument(command: Command, parameter: Parameter): void {
  const { name, required, schema } = parameter;
  const isList = schema.type === 'array';
  // An empty list has to be said: nothing at all is more often forgotten than meant.
  const word = isList ? `[${name}...]` : required && !canBeOff(parameter) ? `<${name}>` : `[${name}]`;
  const argument = new Argument(word, helpOf(parameter)).argParser(
    isList ? listReader(parameter) : readerOf(parameter),
  );
  if (schema.enum !== undefined) argument.choices(schema.enum.map(String));
  COMPLETES.set(argument, completedBy(parameter));
  command.addArgument(argument);
  if (isList && required) command.option('--none', `no ${name} at all`);
  if (canBeOff(parameter)) command.addOption(new Option(`--${offOf(parameter)}`, offHelp(parameter)));
}

function addFlags(command: Command, parameter: Parameter): void {
  const { name, required, schema, words } = parameter;
  if (schema.type === 'boolean') {
    command.addOption(new Option(`--${name}`, helpOf(parameter)));
  } else {
    const value = words.value ?? placeholder(parameter);
    const isList = schema.type === 'array' && words.read === undefined;
    const option = new Option(`--${name} <${value}${isList ? '...' : ''}>`, helpOf(parameter));
    if (schema.enum !== undefined) option.choices(schema.enum.map(String));
    else option.argParser(isList ? listReader(parameter) : readerOf(parameter));
    if (words.default !== undefined) option.default(words.default);
    option.makeOptionMandatory(required && words.default === undefined && !canBeOff(parameter));
    COMPLETES.set(option, completedBy(parameter));
    command.addOption(option);
  }
  if (!canBeOff(parameter)) return;
  const off = new Option(`--${offOf(parameter)}`, offHelp(parameter));
  // `--no-x` is the same attribute as `--x`, and the later one wins.
  command.addOption(offOf(parameter) === `no-${name}` ? off : off.conflicts(attributeOf(name)));
}

/** The noun whose names complete it: a parameter that is called `node` takes a node. */
function completedBy({ path, words }: Parameter): string {
  return words.completes ?? path[0] ?? '';
}

/** What takes a value away again: null, or false or an empty list where absent means something else. */
function canBeOff({ nullable, whole, schema, words }: Parameter): boolean {
  return (
    nullable ||
    whole !== undefined ||
    (words.off !== undefined && (schema.type === 'boolean' || schema.type === 'array'))
  );
}

export function offOf({ name, words }: Parameter): string {
  return words.off ?? `no-${name}`;
}

function offHelp({ name, words }: Parameter): string {
  return words.off_help ?? `without ${name}`;
}

function listReader(parameter: Parameter): (text: string, previous: unknown) => unknown {
  const read = readerOf(parameter);
  return (text, previous) => [...(Array.isArray(previous) ? previous : []), read(text)];
}

function placeholder({ name, path, schema }: Parameter): string {
  const one = schema.type === 'array' ? (schema.items ?? {}) : schema;
  if (one.format === 'date-time') return 'when';
  if (one.type === 'integer') return path.at(-1)?.endsWith('_s') ? 'duration' : 'number';
  if (one.enum !== undefined || one.type === 'string') return name.split('.').at(-1) ?? name;
  return 'json';
}

/** As commander names the value of a flag. */
function attributeOf(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** What the command line says for each parameter. Absent from the map: nothing. */
export function givenFor(command: Command, parameters: readonly Parameter[]): Map<Parameter, unknown> {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const given = new Map<Parameter, unknown>();
  let position = 0;
  for (const parameter of parameters) {
    const value = parameter.argument ? command.processedArgs[position++] : options[attributeOf(parameter.name)];
    const chosen = chosenValue(parameter, value, options);
    if (chosen !== undefined) given.set(parameter, chosen);
  }
  return given;
}

function chosenValue(parameter: Parameter, value: unknown, options: Readonly<Record<string, unknown>>): unknown {
  const { name, schema, argument, required, nullable, whole } = parameter;
  if (argument && schema.type === 'array') {
    const items = (value as unknown[] | undefined) ?? [];
    return required || items.length > 0 ? listOrNone(items, options.none === true, name) : undefined;
  }
  if (!canBeOff(parameter)) return value;
  const isOff = value === false || options[attributeOf(offOf(parameter))] === true;
  if (!isOff && value === undefined && required) throw missingEither(parameter);
  if (isOff && argument && value !== undefined) throw usage(`--${offOf(parameter)} and <${name}> exclude each other`);
  if (!isOff) return value;
  return nullable || whole !== undefined ? null : schema.type === 'array' ? [] : false;
}

/** A list that replaces the one before. Nothing at all is more often forgotten than meant, so it has to be said. */
export function listOrNone<T>(items: T[], none: boolean, what: string): T[] {
  if ((items.length === 0) === none) return items;
  throw usage(items.length === 0 ? `name the ${what}, or say --none` : `--none and ${what} exclude each other`);
}

function missingEither(parameter: Parameter): Failure {
  const { name, argument, words } = parameter;
  const value = argument ? `<${name}>` : `--${name} <${words.value ?? placeholder(parameter)}>`;
  return usage(`missing ${value} or --${offOf(parameter)}`);
}

export function usage(message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage' });
}
