/** Answers a shell that asks what can come next: a candidate a line, its description after a tab. */
import { createClient, createPanelClient } from '@meshwork/client';
import type { Command } from 'commander';
import { type GlobalFlags, readConnection, readPanelConnection } from '../config.ts';
import type { Noun } from '../derived/noun.ts';
import { operationIds, operationOf } from '../derived/operations.ts';
import { printable } from '../terminal-text.ts';
import type { AnyClient } from '../words/command-words.ts';
import { type Candidate, candidatesFor, type NamesOf } from './candidates.ts';

/** A person waits for it with a finger on the tab key. */
const PATIENCE_MS = 1000;
const NAMES = 200;
const DESCRIPTION = 60;

export async function complete(
  words: readonly string[],
  { program, nouns }: { readonly program: Command; readonly nouns: readonly Noun[] },
): Promise<string> {
  const found = await candidatesFor(program, words, namesFrom(nouns, flagsIn(words)));
  return found.map((one) => `${lineOf(one)}\n`).join('');
}

function lineOf({ value, description }: Candidate): string {
  const text = printable(description);
  return `${printable(value)}\t${text.length > DESCRIPTION ? `${text.slice(0, DESCRIPTION - 1)}…` : text}`;
}

/** The flags on the line say which coordinator to use, as for the command itself. */
function flagsIn(words: readonly string[]): GlobalFlags {
  const valueAfter = (flag: string) => {
    const at = words.lastIndexOf(flag);
    return at < 0 ? words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : words[at + 1];
  };
  const given = { url: valueAfter('--url'), tokenFile: valueAfter('--token-file'), config: valueAfter('--config') };
  const panelUrl = valueAfter('--panel-url');
  const said = Object.entries({ ...given, panelUrl }).filter(([, value]) => value !== undefined && value !== '');
  return { color: false, ...Object.fromEntries(said) };
}

function namesFrom(nouns: readonly Noun[], flags: GlobalFlags): NamesOf {
  return async (name, part) => {
    const noun = nouns.find((one) => one.noun === name);
    const list = noun?.areas.map((area) => `${area}.list`).find((id) => operationIds(noun.api).includes(id));
    if (noun === undefined || list === undefined) return [];
    try {
      return await readNames(noun, list, { flags, part });
    } catch {
      // A shell that completes a word has nowhere to show a failure: there are no names then.
      return [];
    }
  };
}

async function readNames(
  noun: Noun,
  list: string,
  { flags, part }: { readonly flags: GlobalFlags; readonly part: string },
): Promise<Candidate[]> {
  const isPanel = noun.api === 'panel';
  const { url, token } = await (isPanel ? readPanelConnection(flags) : readConnection(flags));
  const options = { url, token, retry: false as const, signal: AbortSignal.timeout(PATIENCE_MS) };
  const client = (isPanel ? createPanelClient(options) : createClient(options)) as unknown as AnyClient;
  const takesPart = operationOf(noun.api, list).query?.properties?.q !== undefined;
  const q = noun.ids === undefined && takesPart && part !== '' ? { q: part } : {};
  const { body } = await client.call(list, { query: { limit: NAMES, ...q } });
  return (body as { readonly items: readonly Item[] }).items.map((item) => candidateOf(item, noun));
}

interface Item {
  readonly id?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly state?: string;
}

/** What the command takes, and by what a person knows it. */
function candidateOf({ id = '', name = '', kind = '', state = '' }: Item, { ids }: Noun): Candidate {
  if (ids === undefined) return { value: name || id, description: state };
  return { value: id, description: [name || kind, state].filter(Boolean).join(', ') };
}
