import { ApiError, type Client } from '@meshwork/client';
import type { Node } from '@meshwork/contract';

/** What the mesh loses with a node, as far as the token may see it. */
export async function whatGoesWith(client: Client, id: string): Promise<string> {
  const { body: node } = await client.call('nodes.show', { params: { id } });
  const relays = await unlessRefused(async () => {
    const { items } = (await client.call('relays.list', {})).body;
    return items.filter((relay) => relay.node === node.id).map(({ name }) => name);
  });
  const ingresses = await unlessRefused(async () => {
    const { items } = (await client.call('ingress.list', { query: { gateway: node.id } })).body;
    return items.map(({ name }) => name);
  });
  return [`${node.name} (${node.id}, ${node.state}) leaves the mesh.`, ...lossesOf(node, { relays, ingresses })].join(
    '\n',
  );
}

export function lossesOf(
  node: Pick<Node, 'name' | 'address' | 'routes_provided' | 'services'>,
  { relays, ingresses }: { readonly relays: readonly string[]; readonly ingresses: readonly string[] },
): string[] {
  const lines = [
    ['its services', node.services],
    ['the networks it forwards to', node.routes_provided],
    ['relays it runs', relays],
    ['ingresses it serves', ingresses],
  ] as const;
  return [
    ...lines.filter(([, names]) => names.length > 0).map(([what, names]) => `  ${what}: ${names.join(', ')}`),
    `  its keys, its name ${node.name} and its address ${node.address.replace(/\/32$/, '')}: enrolling it again makes another node`,
  ];
}

/** A token that may remove a node need not be allowed to read everything else. */
async function unlessRefused(read: () => Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}
