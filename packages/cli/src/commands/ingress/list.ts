import type { Ingress } from '@meshwork/contract';
import type { Command } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { nodeIdOf } from '../node/find-node.ts';

interface Options extends PagingOptions {
  readonly service?: string;
  readonly gateway?: string;
}

export function ingressList(): Command {
  const command = operationCommand('list', 'ingress.list')
    .option('--service <name>', 'only those that lead to this service')
    .option('--gateway <node>', 'only those served by this node, by id or name');
  return withPaging(command).action(async ({ all, gateway, ...rest }: Options, self: Command) => {
    const { client, out } = await openSession(self);
    const query = { ...rest, gateway: gateway === undefined ? undefined : await nodeIdOf(client, gateway) };
    await printList(out, all, {
      page: () => client.call('ingress.list', { query }),
      every: () => client.pages('ingress.list', { query }),
      table: (ingresses) => ingressTable(ingresses, out),
    });
  });
}

function ingressTable(ingresses: readonly Ingress[], out: Output): string {
  const rows = ingresses.map((ingress) => [
    ingress.id,
    ingress.name,
    ingress.state,
    ingress.hostname,
    ingress.service,
    ingress.served_by.map(({ name, draining }) => (draining ? `${name} (draining)` : name)).join(', ') || '-',
  ]);
  return table(['ID', 'NAME', 'STATE', 'HOSTNAME', 'SERVICE', 'SERVED BY'], rows, (text) => out.strong(text));
}
