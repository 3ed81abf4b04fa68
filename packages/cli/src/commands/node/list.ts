import { NODE_STATES, type Node, type NodeState } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { ago } from '../../when.ts';

interface Options extends PagingOptions {
  readonly tag?: string;
  readonly state?: NodeState;
  readonly relay?: string;
  readonly service?: string;
  readonly query?: string;
}

export function nodeList(): Command {
  const command = operationCommand('list', 'nodes.list')
    .option('--tag <tag>', 'only those with this tag, such as role:git')
    .addOption(new Option('--state <state>', 'only those in this state').choices(NODE_STATES))
    .option('--relay <name>', 'only those assigned to this relay')
    .option('--service <name>', 'only those with this service')
    .option('--query <text>', 'only those with this in their name, or with this address');
  return withPaging(command).action(async ({ all, query: q, ...rest }: Options, self: Command) => {
    const { client, out } = await openSession(self);
    const query = { ...rest, q };
    await printList(out, all, {
      page: () => client.call('nodes.list', { query }),
      every: () => client.pages('nodes.list', { query }),
      table: (nodes) => nodeTable(nodes, out),
    });
  });
}

function nodeTable(nodes: readonly Node[], out: Output): string {
  const rows = nodes.map((node) => [
    node.id,
    node.name,
    node.drift_since === null ? node.state : `${node.state}, drifts`,
    node.address.replace('/32', ''),
    node.relay ?? '-',
    ago(node.heartbeat),
    node.tags.join(' '),
  ]);
  return table(['ID', 'NAME', 'STATE', 'ADDRESS', 'RELAY', 'HEARTBEAT', 'TAGS'], rows, (text) => out.strong(text));
}
