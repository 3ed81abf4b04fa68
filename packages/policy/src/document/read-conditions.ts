import type { Conditions } from './document.ts';
import { expiresWords, isTimestamp } from './expires.ts';
import { LIMITS } from './limits.ts';
import { counted, type Problems, quote } from './problems.ts';
import { isTag } from './selector.ts';
import { mistaken, readKnown, readText, type Value } from './values.ts';
import { isVersion } from './version.ts';

const WHEN = {
  thing: '"when"',
  expected: '"when" is an object that says what has to be true of the source, such as {"fresh": true}',
  known: ['fresh', 'agent_version', 'tag'],
} as const;

export function readWithin(value: Value, problems: Problems): 'boundary' | undefined {
  const text = readText(value, '"within" is the string "boundary"', problems);
  if (text === undefined || text === 'boundary') return text;
  problems.report(value, () => `"within" cannot be ${quote(text)}. Write "boundary", or leave "within" out.`);
  return undefined;
}

export function readWhen(value: Value, problems: Problems): Conditions | undefined {
  const members = readKnown(value, WHEN, problems);
  if (members === undefined) return undefined;
  const [fresh, version, tag] = [members.get('fresh'), members.get('agent_version'), members.get('tag')];
  const minimum = version === undefined ? undefined : readVersion(version, problems);
  const wanted = tag === undefined ? undefined : readTag(tag, problems);
  return {
    ...(fresh !== undefined && isTrue(fresh, problems) && { fresh: true }),
    ...(minimum !== undefined && { agent_version: minimum }),
    ...(wanted !== undefined && { tag: wanted }),
  };
}

function isTrue(value: Value, problems: Problems): boolean {
  const { node } = value;
  if (node.type === 'Boolean' && node.value) return true;
  if (node.type !== 'Boolean') mistaken(value, '"fresh" is true, without quotes', problems);
  else problems.report(value, () => '"fresh" can only be true. Leave it out when it does not matter.');
  return false;
}

function readVersion(value: Value, problems: Problems): string | undefined {
  const text = readText(value, '"agent_version" is a string, such as "1.4.0"', problems);
  if (text === undefined || (isVersion(text) && !text.includes('+'))) return text;
  const words = `${quote(text)} is not a version. A version is numbers with dots and perhaps a pre-release, such as "1.4.0" or "2.0.0-rc.1".`;
  problems.report(value, () => words);
  return undefined;
}

function readTag(value: Value, problems: Problems): string | undefined {
  const text = readText(value, '"tag" is a string, such as "role:dev"', problems);
  if (text === undefined || isTag(text)) return text;
  problems.report(value, () => {
    const alone = text.slice(0, 200).replace(/^tag:/, '').toLowerCase();
    const advice = isTag(alone) ? `Write ${quote(alone)}.` : 'A tag is written like "role:dev".';
    return `${quote(text)} cannot be a tag. ${advice}`;
  });
  return undefined;
}

export function readExpires(value: Value, problems: Problems): string | undefined {
  const text = readText(value, '"expires" is a string, such as "2027-01-31T00:00:00Z"', problems);
  if (text === undefined || isTimestamp(text)) return text;
  problems.report(value, () => expiresWords(text));
  return undefined;
}

export function readNote(value: Value, problems: Problems): string | undefined {
  const text = readText(value, '"note" is a string', problems);
  if (text === undefined || text.length <= LIMITS.noteCharacters) return text;
  const words = `This note is ${counted(text.length)} characters long; ${counted(LIMITS.noteCharacters)} are the most.`;
  problems.report(value, () => words);
  return undefined;
}
