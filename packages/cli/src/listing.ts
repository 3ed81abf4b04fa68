import type { Command } from 'commander';
import { pageLimit } from './arguments.ts';
import type { Output } from './output.ts';

export interface PagingOptions {
  readonly limit?: number;
  readonly all?: boolean;
}

/** The flags that every list has. */
export function withPaging(command: Command): Command {
  return command
    .option('--limit <count>', 'how many at most; with --all, how many at a time', pageLimit)
    .option('--all', 'every one; with --json one JSON document a line');
}

interface Listing<T> {
  page(): Promise<{ readonly body: { readonly items: readonly T[]; readonly next_cursor: string | null } }>;
  every(): AsyncIterable<T>;
  /** For people. */
  table(items: readonly T[]): string;
}

/** Prints the first page of a list, or all of it. */
export async function printList<T>(out: Output, all: boolean | undefined, listing: Listing<T>): Promise<void> {
  if (all === true) {
    const items: T[] = [];
    for await (const item of listing.every()) {
      if (out.json) await out.item(item);
      else items.push(item);
    }
    if (!out.json) await out.write(`${listing.table(items)}\n`);
    return;
  }
  const { body } = await listing.page();
  await out.result(body, () => listing.table(body.items));
  if (body.next_cursor !== null) out.notice('there are more: --all lists every one');
}
