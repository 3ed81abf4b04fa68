import { LINK_STATES, type Link } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { nodeIdOf } from '../node/find-node.ts';
import { age, measured } from './link-text.ts';

interface Options extends PagingOptions {
  readonly state?: (typeof LINK_STATES)[number];
}

export function peerList(): Command {
  const command = operationCommand('list', 'peers.list')
    .argument('<node>', 'id or name of the node')
    .addOption(new Option('--state <state>', 'only links in this state').choices(LINK_STATES));
  return withPaging(command).action(async (node: string, { all, ...rest }: Options, self: Command) => {
    const { client, out } = await openSession(self);
    const query = { ...rest, node: await nodeIdOf(client, node) };
    await printList(out, all, {
      page: () => client.call('peers.list', { query }),
      every: () => client.pages('peers.list', { query }),
      table: (links) => linkTable(links, out),
    });
  });
}

/** As the node that was asked about sees them. */
function linkTable(links: readonly Link[], out: Output): string {
  const rows = links.map(({ b, state, path, a_view }) => [
    b.name,
    b.state,
    state,
    path,
    age(a_view?.handshake_age_s),
    measured(a_view?.rtt_ms, 'ms'),
    measured(a_view?.rx_bytes, 'B'),
    measured(a_view?.tx_bytes, 'B'),
    a_view?.endpoint ?? '-',
  ]);
  const headings = ['PEER', 'IS', 'LINK', 'PATH', 'HANDSHAKE', 'RTT', 'RECEIVED', 'SENT', 'ENDPOINT'];
  return table(headings, rows, (text) => out.strong(text));
}
