/** Both tables of operations, and the rules that make a command's name from an operation's. */
import { AREAS, type HttpOperation, OPERATIONS, type OperationId, PANEL_OPERATIONS } from '@meshwork/contract';
import { Command } from 'commander';

export type Api = 'coordinator' | 'panel';

const TABLES: Readonly<Record<Api, Readonly<Record<string, HttpOperation>>>> = {
  coordinator: OPERATIONS,
  panel: PANEL_OPERATIONS,
};

export function operationOf(api: Api, id: string): HttpOperation {
  const operation = TABLES[api][id];
  if (operation === undefined) throw new Error(`the ${api} has no operation ${id}`);
  return operation;
}

export function operationIds(api: Api): string[] {
  return Object.keys(TABLES[api]);
}

export function areaOfId(id: string): string {
  return id.slice(0, id.indexOf('.'));
}

/** What people read about an area; the panel has no such table. */
export function areaDescription(area: string): string {
  return AREAS[area]?.description ?? '';
}

/** The same verbs everywhere, whatever an area calls them. Verbs that are not here are the area's own. */
const VERBS: Readonly<Record<string, string>> = { update: 'set', replace: 'set', delete: 'remove' };

export function verbOf(id: string): string {
  const verb = id.slice(id.indexOf('.') + 1);
  return VERBS[verb] ?? verb.replaceAll('_', '-');
}

/** `relays` → `relay`; words that have no plural stay. */
export function singular(word: string): string {
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** A command made by hand for an operation of the coordinator, described as the API describes it. */
export function describedCommand(name: string, id: OperationId): Command {
  const { summary, description } = operationOf('coordinator', id);
  return new Command(name).summary(summary).description(`${summary}. ${description ?? ''}`.trim());
}
