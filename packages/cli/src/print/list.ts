/** A list for people: a table, newest first, a page of it or all. */
import { DEFAULT_LIMIT, MAX_LIMIT } from '@meshwork/contract';
import type { Command } from 'commander';
import { pageLimit } from '../arguments.ts';
import type { Output } from '../output.ts';
import { table } from '../table.ts';
import { ago } from '../when.ts';
import { counted } from '../wording.ts';
import type { AnyClient, Columns, DerivedRequest } from '../words/command-words.ts';
import { type Schema, withoutNull } from '../words/schema.ts';
import { labelOf, valueText } from './record.ts';

export interface PagingOptions {
  readonly limit?: number;
  readonly all?: boolean;
}

/** The flags that every list has. */
export function withPaging(command: Command): Command {
  return command
    .option('--limit <count>', `how many at most (default: ${DEFAULT_LIMIT})`, pageLimit)
    .option('--all', 'every one; with --json one JSON document a line');
}

export interface Listing {
  readonly client: AnyClient;
  readonly id: string;
  readonly request: DerivedRequest;
  /** What one of them is called. */
  readonly thing: string;
  readonly item: Schema;
  /** Undefined: those that the schema suggests. */
  readonly columns: Columns<never> | undefined;
  /** The order of the API is the one that people want. */
  readonly ordered: boolean;
}

interface Page {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** What is shown of a list. */
export interface ShownList {
  readonly items: readonly unknown[];
  /** How many there are in all. Undefined: more than are shown. */
  readonly total: number | undefined;
}

/** One page as the API has it, for programs. */
export async function readPage({ client, id, request }: Listing, { limit }: PagingOptions): Promise<Page> {
  const query = { ...request.query, ...(limit === undefined ? {} : { limit }) };
  return (await client.call(id, { params: request.params, query })).body as Page;
}

/** Everything, a JSON document a line. */
export async function printEvery(
  { client, id, request }: Listing,
  { limit }: PagingOptions,
  out: Output,
): Promise<void> {
  const query = { ...request.query, ...(limit === undefined ? {} : { limit }) };
  for await (const item of client.pages(id, { params: request.params, query })) await out.item(item);
}

/**
 * The API pages from the oldest on, and knows no other order: to show the newest first, all pages are read. A list that has
 * its own order is read as far as it is shown.
 */
export async function readShown(listing: Listing, { limit = DEFAULT_LIMIT, all }: PagingOptions): Promise<ShownList> {
  const { client, id, request } = listing;
  const time = timeOf(listing.item);
  if (listing.ordered && all !== true) {
    const { items, next_cursor } = await readPage(listing, { limit });
    return { items, total: next_cursor === null ? items.length : undefined };
  }
  const items: unknown[] = [];
  const query = { ...request.query, limit: MAX_LIMIT };
  for await (const item of client.pages(id, { params: request.params, query })) items.push(item);
  const sorted = listing.ordered ? items : items.toSorted(time === undefined ? byName : newestFirst(time));
  return { items: all === true ? sorted : sorted.slice(0, limit), total: items.length };
}

export function tableText(
  items: readonly unknown[],
  { columns, item: schema }: Pick<Listing, 'columns' | 'item'>,
  out: Output,
): string {
  const shown = columns ?? defaultColumns(schema);
  const rows = items.map((item) => shown.map(([, cell]) => cell(item as never)));
  return table(
    shown.map(([heading]) => heading),
    rows,
    (text) => out.strong(text),
  );
}

/** What the table does not show. Undefined: it shows everything. */
export function listNotice({ thing }: Listing, { items, total }: ShownList): string | undefined {
  if (total === undefined) return 'there are more: --all lists every one';
  if (total === 0) return `no ${counted(0, thing).slice(2)}`;
  return total > items.length ? `${items.length} of ${counted(total, thing)}: --all lists every one` : undefined;
}

/** The member that says since when there is one. */
function timeOf({ properties = {} }: Schema): string | undefined {
  return ['created_at', 'requested_at', 'at'].find((name) => name in properties);
}

function newestFirst(time: string): (a: unknown, b: unknown) => number {
  const at = (item: unknown) => String((item as Readonly<Record<string, unknown>>)[time] ?? '');
  return (a, b) => (at(a) < at(b) ? 1 : at(a) > at(b) ? -1 : 0);
}

function byName(a: unknown, b: unknown): number {
  const name = (item: unknown) => String((item as { readonly name?: unknown }).name ?? '');
  return name(a).localeCompare(name(b), 'en');
}

/** As many as fit a terminal. */
const COLUMNS = 7;

/** What fits a cell, in the order of the schema; when it was made comes last. */
function defaultColumns({ properties = {} }: Schema): Columns<never> {
  const fits = Object.entries(properties).filter(([name, given]) => {
    const { schema } = withoutNull(given);
    return name !== 'revision' && (schema.enum !== undefined || !['object', 'array', undefined].includes(schema.type));
  });
  const first = fits.filter(([name]) => name !== 'created_at').slice(0, COLUMNS - 1);
  return [...first, ...fits.filter(([name]) => name === 'created_at')].map(([name, schema]) => [
    labelOf(name).toUpperCase(),
    (item: Readonly<Record<string, unknown>>) => valueText(item[name], schema, ago) ?? '-',
  ]);
}
