import type { Node } from '@meshwork/contract';
import { Argument, type Command } from 'commander';
import { COMPLETES, listOrNone } from '../../derived/flags.ts';
import { describedCommand } from '../../derived/operations.ts';
import { printOperation, waitOption } from '../../print/followed-operation.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';

export function nodeRoutes(): Command {
  const node = new Argument('<node>', 'id or name of the node');
  COMPLETES.set(node, 'node');
  return describedCommand('routes', 'nodes.approve_routes')
    .addArgument(node)
    .addOption(waitOption())
    .argument('[networks...]', 'all the networks that it may forward to from now on, such as 10.20.0.0/16')
    .option('--none', 'let it forward to none')
    .option('--share <networks...>', 'those to share with the whole mesh; needs a mesh-wide token')
    .option('--no-share', 'keep all of them to the boundary of the node')
    .addHelpText('after', ROUTES_HELP)
    .action(async (name: string, given: string[], { none, share, wait }: RoutesOptions, command: Command) => {
      if (given.length === 0 && none === undefined && share === undefined) return showRoutes(command, name);
      const approved = listOrNone(given, none === true, 'networks');
      const shared = share === false ? [] : share; // absent: what is shared stays so
      const body = { approved, ...(shared === undefined ? {} : { shared: [...shared] }) };
      const session = await openSession(command);
      const { body: operation } = await session.client.call('nodes.approve_routes', { params: { id: name }, body });
      await printOperation(session, operation, wait);
    });
}

interface RoutesOptions {
  readonly none?: true;
  readonly share?: readonly string[] | false;
  readonly wait?: number | true;
}

const ROUTES_HELP = `
Without networks, lists those that the node offers and those that are approved. An approved network is
used by nodes of the same team, surface and environment, and by those that a grant leads through the
node by "via". A shared one is used by the whole mesh.`;

async function showRoutes(command: Command, name: string): Promise<void> {
  const { client, out } = await openSession(command);
  const { body } = await client.call('nodes.show', { params: { id: name } });
  const { routes_offered, routes_approved, routes_provided, routes_shared, routes_overlapping, routes_refused } = body;
  const result = {
    node: body.id,
    ...{ routes_offered, routes_approved, routes_provided, routes_shared, routes_overlapping, routes_refused },
  };
  await out.result(result, () => routesText(body, (text) => out.strong(text)));
}

function routesText(node: Node, strong: (text: string) => string): string {
  const { routes_offered, routes_approved, routes_refused } = node;
  const networks = [...new Set([...routes_approved, ...routes_offered])].sort();
  const rows = networks.map((cidr) => [cidr, statusOf(node, cidr), usersOf(node, cidr), noteOf(node, cidr)]);
  const refused = routes_refused.map(({ cidr, reason }) => [cidr, 'refused', '-', reason]);
  if (rows.length + refused.length === 0) return `${node.name} offers no networks, and none is approved`;
  return table(['NETWORK', 'STATUS', 'FOR', 'NOTE'], [...rows, ...refused], strong);
}

function statusOf({ routes_provided, routes_approved, routes_offered }: Node, cidr: string): string {
  if (routes_provided.includes(cidr)) return 'in use';
  if (!routes_approved.includes(cidr)) return 'not approved';
  return routes_offered.includes(cidr) ? 'standby' : 'not offered';
}

function usersOf({ routes_approved, routes_shared }: Node, cidr: string): string {
  if (!routes_approved.includes(cidr)) return '-';
  return routes_shared.includes(cidr) ? 'whole mesh' : 'own boundary';
}

function noteOf({ routes_overlapping }: Node, cidr: string): string {
  return routes_overlapping.includes(cidr) ? 'overlaps a network of another boundary' : '';
}
