/**
 * A noun of the command line: `mesh relay …`. Its commands come from the operations of its areas; what is written here is
 * only what should read better than that.
 */
import type {
  AnswerOf,
  IdPrefix,
  OperationId,
  Operations,
  PanelOperationId,
  PanelOperations,
} from '@meshwork/contract';
import type { Command } from 'commander';
import type { Output } from '../output.ts';
import type { CommandWords } from '../words/command-words.ts';
import { type Api, areaDescription, areaOfId, operationIds, singular } from './operations.ts';

interface Better {
  readonly noun: string;
  /** The noun that its own stands behind: `mesh ingress certificate …`. Absent: none. */
  readonly under?: string;
  /** Areas of the operation table. Absent: the plural of the noun. */
  readonly areas?: readonly string[];
  /** What one of them is called. Absent: the noun. */
  readonly thing?: string;
  readonly description?: string;
  /** They are known by their ids alone, which are checked before a request is sent. */
  readonly ids?: IdPrefix;
  /** How records are printed, by the name of their schema. */
  readonly records?: Readonly<Record<string, (record: never, out: Output) => string>>;
  /** Kinds of events after which `--watch` looks again. Absent: those of the area's own kind. */
  readonly watches?: readonly string[];
  /** Commands made by hand, and further ones for an operation that has one already. */
  readonly more?: readonly More[];
}

export type More = (() => Command) | { readonly id: string; readonly words: CommandWords };

export interface Noun extends Better {
  readonly api: Api;
  readonly areas: readonly string[];
  readonly thing: string;
  readonly description: string;
  readonly commands: Readonly<Record<string, CommandWords>>;
}

type CoordinatorWords = { readonly [Id in OperationId]?: CommandWords<AnswerOf<Operations[Id]>> };
type PanelWords = { readonly [Id in PanelOperationId]?: CommandWords<AnswerOf<PanelOperations[Id]>> };

export function noun(better: Better & { readonly commands?: CoordinatorWords }): Noun {
  return whole('coordinator', better);
}

export function panelNoun(better: Better & { readonly commands?: PanelWords }): Noun {
  return whole('panel', better);
}

/** One more command for an operation of the coordinator. */
export function also<Id extends OperationId>(id: Id, words: CommandWords<AnswerOf<Operations[Id]>>): More {
  return { id, words };
}

/** The same for the panel. */
export function alsoOfPanel<Id extends PanelOperationId>(
  id: Id,
  words: CommandWords<AnswerOf<PanelOperations[Id]>>,
): More {
  return { id, words };
}

function whole(api: Api, better: Better & { readonly commands?: Readonly<Record<string, CommandWords>> }): Noun {
  const areas = better.areas ?? [`${better.noun}s`];
  return {
    api,
    areas,
    thing: better.noun,
    description: areaDescription(areas[0] ?? ''),
    ...better,
    commands: better.commands ?? {},
  };
}

/** The operations that a noun has commands for: those of its areas, and those that it names from elsewhere. */
export function operationsOf({ api, areas, commands }: Noun, without: Readonly<Record<string, string>>): string[] {
  const own = operationIds(api).filter((id) => areas.includes(areaOfId(id)) && !(id in without));
  return [...new Set([...own, ...Object.keys(commands)])];
}

/** Nouns for areas without one in the list: a new area of the contract has its commands at once. */
export function derivedNouns(api: Api, listed: readonly Noun[], without: Readonly<Record<string, string>>): Noun[] {
  const known = new Set(listed.filter((one) => one.api === api).flatMap(({ areas }) => areas));
  const ids = operationIds(api).filter((id) => !known.has(areaOfId(id)) && !(id in without));
  return [...new Set(ids.map(areaOfId))].map((area) => whole(api, { noun: singular(area), areas: [area] }));
}

/** In the order in which a thing lives; what is its own stands between. */
const ORDER = ['create', 'list', 'show', 'set'];

export function verbOrder(verb: string): number {
  const place = ORDER.indexOf(verb);
  return place >= 0 ? place : verb === 'remove' ? ORDER.length + 1 : ORDER.length;
}
