import type { Relay } from '@meshwork/contract';
import type { Command } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { relayState } from './relay-fields.ts';

export function relayList(): Command {
  const command = operationCommand('list', 'relays.list');
  return withPaging(command).action(async ({ all, ...query }: PagingOptions, self: Command) => {
    const { client, out } = await openSession(self);
    await printList(out, all, {
      page: () => client.call('relays.list', { query }),
      every: () => client.pages('relays.list', { query }),
      table: (relays) => relayTable(relays, out),
    });
  });
}

function relayTable(relays: readonly Relay[], out: Output): string {
  const rows = relays.map((relay) => [
    relay.name,
    relayState(relay),
    `${relay.host}:${relay.port}`,
    `${relay.nodes} of ${relay.capacity}`,
    relay.node,
  ]);
  return table(['NAME', 'STATE', 'REACHED ON', 'NODES', 'RUNS ON'], rows, (text) => out.strong(text));
}
