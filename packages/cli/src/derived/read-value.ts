import { InvalidArgumentError } from 'commander';
import { idOf, seconds } from '../arguments.ts';
import { moment } from '../moment.ts';
import type { Schema } from '../words/schema.ts';
import type { Parameter } from './parameters.ts';

/** Makes the value of a parameter from one word of the command line. What it refuses never reaches a service. */
export function readerOf({ place, path, schema, words }: Parameter): (text: string) => unknown {
  const own = words.read ?? words.read_each;
  if (own !== undefined) return own;
  if (words.id_of !== undefined) return idOf(words.id_of);
  const one = schema.type === 'array' ? (schema.items ?? {}) : schema;
  // What is looked for lies back, and what is decided lies ahead.
  if (one.format === 'date-time') return moment(place === 'query' ? 'back' : 'ahead');
  if (one.type === 'integer' && path.at(-1)?.endsWith('_s')) return seconds;
  if (one.type === 'integer') return (text) => wholeNumberIn(text, one);
  if (one.enum !== undefined) return (text) => choice(text, one.enum ?? []);
  if (one.type === 'number') return number;
  return one.type === 'string' ? (text) => text : json;
}

function wholeNumberIn(text: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema): number {
  const value = Number(text);
  if (/^-?\d{1,16}$/.test(text) && value >= minimum && value <= maximum) return value;
  const range = maximum === Number.MAX_SAFE_INTEGER ? '' : ` from ${minimum} to ${maximum}`;
  throw new InvalidArgumentError(`Give a whole number${range}.`);
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('Give a number.');
}

function choice(text: string, choices: readonly unknown[]): string {
  if (choices.includes(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('Give it as JSON.');
  }
}
