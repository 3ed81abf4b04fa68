import { type Allow, formatAllow, includes, parseAllow } from './allow.ts';
import { LIMITS } from './limits.ts';
import { type Problems, quote } from './problems.ts';
import { readList, readText, type Value } from './values.ts';

const EXPECTED = '"allow" is a list, such as ["tcp:22", "tcp:8000-8999", "udp:53", "icmp"], or ["*"] for everything';

interface Written {
  readonly text: string;
  readonly allow: Allow;
  readonly value: Value;
}

/** Undefined, with a problem reported, unless it is a list. */
export function readAllow(value: Value, problems: Problems): readonly string[] | undefined {
  const limit = { expected: EXPECTED, most: LIMITS.allowsOfGrant, things: 'entries in this list' };
  const elements = readList(value, limit, problems);
  if (elements?.length === 0) {
    problems.report(value, () => 'This list allows nothing. List what, such as ["tcp:22"], or remove the grant.');
  }
  const entries: Written[] = [];
  for (const element of elements ?? []) {
    const entry = readEntry(element, problems);
    if (entry === undefined) continue;
    checkOverlap(entry, entries, problems);
    entries.push(entry);
  }
  return elements === undefined ? undefined : entries.map(({ text }) => text);
}

function readEntry(value: Value, problems: Problems): Written | undefined {
  const text = readText(value, 'What is allowed is a string, such as "tcp:22"', problems);
  const allow = text === undefined ? undefined : parseAllow(text);
  if (text !== undefined && allow !== undefined) return { text, allow, value };
  if (text !== undefined) problems.report(value, () => allowWords(text));
  return undefined;
}

/** An entry that is written twice may be removed once and seem to be gone. */
function checkOverlap(entry: Written, earlier: readonly Written[], problems: Problems): void {
  const other = earlier.find(({ allow }) => overlap(allow, entry.allow));
  if (other === undefined) return;
  const report = (needless: Written, wide: Written) =>
    problems.report(needless.value, () =>
      needless.text === wide.text
        ? `${quote(needless.text)} is in this list twice. Keep one.`
        : `${quote(wide.text)} already covers ${quote(needless.text)}. Leave ${quote(needless.text)} out.`,
    );
  if (includes(other.allow, entry.allow)) report(entry, other);
  else if (includes(entry.allow, other.allow)) report(other, entry);
  else
    problems.report(
      entry.value,
      () => `${quote(other.text)} and ${quote(entry.text)} overlap. ${joined(other, entry)}`,
    );
}

function overlap(a: Allow, b: Allow): boolean {
  if (a.protocol === 'any' || b.protocol === 'any') return true;
  return a.protocol === b.protocol && a.from <= b.to && b.from <= a.to;
}

function joined({ allow: a }: Written, { allow: b }: Written): string {
  const both = { protocol: a.protocol, from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
  return `Write ${quote(formatAllow(both))}.`;
}

/** What is wrong with a text that allows nothing, and what was meant. */
function allowWords(text: string): string {
  const short = text.slice(0, 100).trim().toLowerCase();
  const turned = short.replace(/^(.*)\/(.*)$/, '$2:$1');
  const guesses = [short, `tcp:${short}`, short.replace('/', ':'), turned];
  const meant = guesses.find((guess) => parseAllow(guess) !== undefined);
  if (meant !== undefined) return `${quote(text)} is not a valid entry of "allow". Did you mean ${quote(meant)}?`;
  const [, protocol = '', ports = ''] = /^(tcp|udp):?(.*)$/s.exec(short) ?? [];
  const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(ports) ?? [];
  if (protocol !== '' && ports === '') return `${quote(text)} lacks its ports: ${examples(protocol)}.`;
  if (Number(first) > Number(last))
    return `The range ${quote(text)} is backwards. Write "${protocol}:${last}-${first}".`;
  if (first !== '') return `${quote(text)} has a port that is not one of 1 to 65535, written without leading zeros.`;
  if (ports.includes(',')) return `${quote(text)} has more than one port. Give each an entry of its own.`;
  return `${quote(text)} is not a valid entry of "allow". Write ${examples('tcp')}, the same with "udp", "icmp" or "*".`;
}

function examples(protocol: string): string {
  return `"${protocol}:22", "${protocol}:8000-8999" or "${protocol}:*"`;
}
