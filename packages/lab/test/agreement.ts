/** Holds every agent of a fleet to what the API says it should be, from the records of all nodes alone. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { HeldView } from '@meshwork/agent';
import type { Client } from '@meshwork/client';
import type { Node, Peer } from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import type { Fleet, SimulatedNode } from '../src/index.ts';
import { until } from './until.ts';

const OUTSIDE: ReadonlySet<Node['state']> = new Set(['pending', 'quarantined', 'removed']);
const SHOWN = 5;

export async function allNodes(client: Client): Promise<readonly Node[]> {
  return Array.fromAsync(client.pages('nodes.list', { query: { limit: 200 } }));
}

/** Resolves once every agent that runs holds what it should and says so; rejects with some that do not. */
export async function agreement(client: Client, fleet: Fleet, timeout_ms = 60_000): Promise<void> {
  let apart: string[] = [];
  const looked = async () => {
    const { address_pool: pool } = (await client.call('settings.show', {})).body.nodes;
    const byBoundary = Map.groupBy(await allNodes(client), boundaryOf);
    const records = new Map([...byBoundary.values()].flat().map((record) => [record.id, record]));
    const running = fleet.nodes.filter((node) => node.running);
    apart = [];
    for (const node of running) {
      const record = records.get(node.id);
      const difference =
        record === undefined
          ? 'runs and is not in the mesh'
          : (heldDifference(node, record, { boundary: byBoundary.get(boundaryOf(record)) ?? [], pool }) ??
            (await saidDifference(client, node)));
      if (difference !== null) apart.push(`${node.name} (${node.id}): ${difference}`);
      if (apart.length >= SHOWN) return false;
    }
    return apart.length === 0;
  };
  await until(looked, () => `these are not as they should be:\n${apart.join('\n')}`, timeout_ms);
  assert.equal(fleet.crash, undefined);
}

/** What the agent holds in its own memory beside what it should hold. */
function heldDifference(
  node: SimulatedNode,
  record: Node,
  { boundary, pool }: { readonly boundary: readonly Node[]; readonly pool: string },
): string | null {
  const { view, endpoint } = node;
  if (record.endpoints.join() !== endpoint) return `is at ${endpoint}, and on record at ${record.endpoints.join()}`;
  if (view?.sections.self === undefined) return 'has not received anything';
  const { name, address, address6, tags, routes_provided: routes } = record;
  const [, network6 = ''] = view.sections.self.networks; // the coordinator's own choice unless the settings have one
  const networks = [pool, network6];
  const self = { name, address, address6, networks, tags, state: record.state, routes };
  if (!isDeepStrictEqual(view.sections.self, self))
    return `is ${JSON.stringify(view.sections.self)}, not ${JSON.stringify(self)}`;
  const peers = OUTSIDE.has(record.state)
    ? []
    : boundary.filter(({ id, state }) => id !== record.id && !OUTSIDE.has(state)).map(peerOf);
  const held = view instanceof HeldView ? [...view.peers.all()] : undefined;
  const difference = held === undefined ? null : peerDifference(held, peers);
  if (difference !== null) return difference;
  if (view.peers.size !== peers.length) return `holds ${view.peers.size} peers, not ${peers.length}`;
  const digest = peers.reduce((sum, peer) => withItem(sum, digestOf(peer)), EMPTY_DIGEST);
  return view.peers.digest === digest ? null : `holds peers ${view.digestOf('peers')}, not ${digestText(digest)}`;
}

function peerDifference(held: readonly Peer[], should: readonly Peer[]): string | null {
  const rest = new Map(held.map((peer) => [peer.id, peer]));
  for (const peer of should) {
    const found = rest.get(peer.id);
    if (!isDeepStrictEqual(found, peer)) return `holds ${JSON.stringify(found)}, not ${JSON.stringify(peer)}`;
    rest.delete(peer.id);
  }
  const [extra] = rest.values();
  return extra === undefined ? null : `still holds ${extra.name} (${extra.id})`;
}

/** What the coordinator thinks should be in effect on the node, beside what the node said is. */
async function saidDifference(client: Client, { id, view }: SimulatedNode): Promise<string | null> {
  const { sections } = (await client.call('nodes.posture', { params: { id } })).body;
  for (const [name, { desired, observed, carried, in_sync, reason }] of Object.entries(sections)) {
    if (!carried) continue; // a simulated node keeps no certificates
    if (!in_sync) return `is apart in ${name}: ${reason}`;
    if (observed?.digest !== desired.digest)
      return `is called in sync in ${name}, but ${observed?.digest} is in effect`;
    if (view?.digestOf(name as keyof typeof sections) !== desired.digest) return `said that it holds another ${name}`;
  }
  return null;
}

function peerOf(record: Node): Peer {
  const { id, name, wireguard_key, address, address6, endpoints, relay } = record;
  return { id, name, wireguard_key, address, address6, endpoints, relay };
}

function boundaryOf({ tags }: Node): string {
  return tags
    .filter((tag) => /^(team|surface|env):/.test(tag))
    .sort()
    .join(' ');
}
