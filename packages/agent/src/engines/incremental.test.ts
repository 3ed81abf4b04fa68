/**
 * Engines that apply only the change end in the same state, and report the same digests, as engines that receive everything at
 * once, whatever the steps are and whatever fails on the way. With a real packet filter and a real hosts file.
 */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AppliedSection, HeartbeatReply, Peer, PeerTerms, SelfSection } from '@meshwork/contract';
import { compileNode } from '@meshwork/policy/firewall';
import fc from 'fast-check';
import { MemoryDriver } from '../../test/memory-driver.ts';
import { type Namespace, namespace } from '../../test/namespaces.ts';
import { newFolder } from '../../test/new-folder.ts';
import { NO_KEY, RecordedEngines } from '../../test/recorded-engines.ts';
import { HostDataPlane } from '../data-plane/host-data-plane.ts';
import { PeerPlaces } from '../host/peer-places.ts';
import { CommandError, type RunCommand } from '../host/run-command.ts';
import { newWireguardKey } from '../identity/keys.ts';
import { HeldView } from '../view/held-view.ts';
import { FirewallEngine } from './firewall/engine.ts';
import { firewallInput } from './firewall/firewall-input.ts';
import { NftFirewall } from './firewall/nft-firewall.ts';
import { elementDifferences } from './firewall/table-differences.ts';
import { readListing } from './firewall/table-listing.ts';
import { NamesEngine } from './names/engine.ts';
import { HostsFile } from './names/hosts-file/hosts-file.ts';
import { hostNames } from './names/known-names.ts';
import { NetworkEngine } from './network/engine.ts';
import { networkPlan } from './network/network-plan.ts';
import { TunnelEngine } from './wireguard/tunnel-engine.ts';
import { tunnelPeers } from './wireguard/tunnel-peers.ts';
import { WireguardTunnel } from './wireguard/wireguard-tunnel.ts';

const SELF: SelfSection = {
  name: 'git-1',
  address: '100.64.0.1/32',
  address6: 'fd6d::1/128',
  tags: [],
  state: 'active',
  routes: [],
  networks: ['100.64.0.0/10', 'fd6d::/64'],
};
/** Two for each peer. */
const KEYS = Array.from({ length: 14 }, () => newWireguardKey().public);

/** A peer has one of a few numbers, so that they go and come back. */
const number = fc.integer({ min: 2, max: 6 });
const peer: fc.Arbitrary<Peer> = fc
  .record({
    id: number,
    key: fc.integer({ min: 0, max: 1 }),
    stray: fc.constantFrom(false, false, false, true),
    renamed: fc.boolean(),
    endpoints: fc.subarray(['192.0.2.1:1', '192.0.2.2:2', '[2001:db8::1]:3']),
  })
  .map(({ id, key, stray, renamed, endpoints }) => ({
    id: `node_${id}`,
    name: renamed ? `new-${id}` : `peer-${id}`,
    wireguard_key: KEYS[2 * id + key] as string,
    address: stray ? `10.99.0.${id}/32` : `100.64.0.${id}/32`,
    address6: `fd6d::${id}/128`,
    endpoints,
    relay: null,
  }));
const ITEMS = ['icmp', 'tcp:22', 'tcp:8000-8999', 'tcp:8500-9500', 'udp:53', 'udp:1-65535', '*'];
const forward = fc.record({
  to: fc.constantFrom('10.20.0.0/16', '10.20.7.0/24', '10.30.0.1/32', 'fd65::/64'),
  allow: fc.subarray(ITEMS, { minLength: 1 }),
});
const terms: fc.Arbitrary<PeerTerms> = fc.record({
  peer: number.map((id) => `node_${id}`),
  allow: fc.subarray(ITEMS),
  forward: fc.uniqueArray(forward, { selector: ({ to }) => to, maxLength: 2 }),
  routes: fc.subarray(['10.40.0.0/16', '10.50.0.0/16']),
});
const gone = fc.uniqueArray(
  number.map((id) => `node_${id}`),
  { maxLength: 2 },
);
const some = <T>(record: fc.Arbitrary<T>, id: (one: T) => string) =>
  fc.uniqueArray(record, { selector: id, maxLength: 3 });
const changes = <T>(record: fc.Arbitrary<T>, id: (one: T) => string) =>
  fc.oneof(
    { weight: 1, arbitrary: some(record, id).map((full) => ({ full })) },
    { weight: 6, arbitrary: fc.record({ upsert: some(record, id), remove: gone }) },
  );
/** What goes wrong while it is put into effect. */
const FAULTS = ['wireguard', 'nft refuses', 'nft is cut off', 'distrust'] as const;
const step = fc.record(
  {
    peers: changes(peer, ({ id }) => id),
    acl: changes(terms, ({ peer: id }) => id),
    fault: fc.constantFrom(...FAULTS),
  },
  { requiredKeys: [] },
);
type Step = Pick<HeartbeatReply, 'peers' | 'acl'> & { readonly fault?: (typeof FAULTS)[number] };

/** A node that receives its view step by step, with everything that its engines made. */
class Node {
  readonly view = new HeldView();
  readonly driver = new MemoryDriver();
  readonly recorded = new RecordedEngines();
  /** What `nft` was given. */
  readonly inputs: string[] = [];
  readonly plane: HostDataPlane;
  readonly #place: Namespace;
  #revision = 0;
  #failing: 'nft refuses' | 'nft is cut off' | undefined;

  constructor(place: Namespace, hosts: string) {
    this.#place = place;
    const now = () => 0;
    const key = { ...NO_KEY, private_key: newWireguardKey().private };
    const tunnel = new WireguardTunnel({ driver: this.driver, now });
    const host = { key, port: 51_820, accept_routes: 'subnets', now, places: new PeerPlaces() } as const;
    this.plane = new HostDataPlane({
      engines: [
        new FirewallEngine({ firewall: new NftFirewall({ run: this.#run }), offered: [], accept_routes: 'subnets' }),
        new TunnelEngine({ ...host, tunnel, implementation: 'userspace', version: async () => '' }),
        new NetworkEngine({ network: this.recorded.parts.network, accept_routes: 'subnets' }),
        new NamesEngine(new HostsFile({ path: hosts, host: 'git-1' }), ['mesh.example.org']),
      ],
      keptOut: () => [],
      relays: () => [],
      now,
    });
  }

  readonly #run: RunCommand = async (command, args, options) => {
    if (options?.input !== undefined) this.inputs.push(options.input);
    const failing = args.includes('-f') ? this.#failing : undefined;
    if (failing !== undefined) this.#failing = undefined;
    if (failing === 'nft refuses') throw new CommandError('nft', 1, 'no');
    const said = await this.#place.run(command, args, options);
    if (failing === 'nft is cut off') throw new Error('nft did not answer');
    return said;
  };

  async take({ fault, ...news }: Step): Promise<void> {
    this.#revision += 1;
    const isFirst = this.#revision === 1;
    const sections = this.view.take({
      revision: this.#revision,
      next_s: 0,
      ...(isFirst ? { self: SELF } : {}),
      ...news,
    });
    if (fault === 'wireguard') this.driver.failsHalfWay = true;
    else if (fault === 'distrust') this.plane.reapply(['acl']);
    else this.#failing = fault;
    for (const section of sections) await this.apply(section);
    this.driver.failsHalfWay = false;
    this.#failing = undefined;
  }

  /** As often as it takes: what failed is tried again, as the reconciler does. */
  async apply(section: AppliedSection): Promise<void> {
    const tries = 3;
    for (let left = tries; left > 0; left -= 1) {
      const { error, ...applied } = await this.plane.apply(section, this.view).catch((failure: Error) => {
        if (left === 1) throw failure;
        return { error: failure.message };
      });
      if (error !== undefined) continue;
      assert.deepEqual(applied, { revision: this.view.revisionOf(section), digest: this.view.digestOf(section) });
      return;
    }
  }
}

/** What there is, against what follows from the view alone. */
async function compare({ view, driver, recorded }: Node, place: Namespace, folder: string): Promise<void> {
  const listing = readListing(await place.run('nft', ['-j', 'list', 'table', 'inet', 'mesh']));
  assert.deepEqual(elementDifferences(compileNode(firewallInput(view)).sets, listing), []);

  const wanted = tunnelPeers(view, 'subnets').map(({ key, networks }) => [key, ...networks.toSorted()].join());
  const there = Array.from(driver.peers.values(), ({ key, networks }) => [key, ...networks.toSorted()].join());
  assert.deepEqual(there.toSorted(), wanted.toSorted());

  const fresh = join(folder, 'fresh');
  await writeFile(fresh, '');
  await new HostsFile({ path: fresh, host: 'git-1' }).apply(hostNames(view));
  assert.equal(await readFile(join(folder, 'hosts'), 'utf8'), await readFile(fresh, 'utf8'));

  const plan = networkPlan(view, { kept_out: [], accept: 'subnets' });
  assert.deepEqual(recorded.network?.routes.toSorted(), plan?.routes.toSorted());
}

test('what is put into effect step by step, with faults, is what all of it at once would be', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps: readonly Step[]) => {
    await using place = await namespace();
    await using folder = await newFolder();
    await writeFile(join(folder.path, 'hosts'), '');
    const node = new Node(place, join(folder.path, 'hosts'));
    await node.take({ peers: { full: [] }, acl: { full: [] } });
    for (const news of steps) {
      await node.take(news);
      await node.apply('acl'); // addresses that are strays are routed with this section
      await compare(node, place, folder.path);
    }
  });
  await fc.assert(property, { numRuns: 12 });
});

test('a change of one peer costs each engine that peer alone', async () => {
  await using place = await namespace();
  await using folder = await newFolder();
  await writeFile(join(folder.path, 'hosts'), '');
  const node = new Node(place, join(folder.path, 'hosts'));
  const peers = [2, 3, 4].map(
    (id): Peer => ({
      ...{ id: `node_${id}`, name: `peer-${id}`, wireguard_key: KEYS[2 * id] as string, endpoints: [], relay: null },
      ...{ address: `100.64.0.${id}/32`, address6: `fd6d::${id}/128` },
    }),
  );
  const allow = (id: number, ...items: string[]): PeerTerms => ({
    peer: `node_${id}`,
    allow: items,
    forward: [],
    routes: [],
  });
  await node.take({ peers: { full: peers }, acl: { full: [2, 3, 4].map((id) => allow(id, 'tcp:22')) } });
  node.driver.calls.length = 0;
  node.inputs.length = 0;
  node.recorded.calls.length = 0;

  await node.take({ peers: { upsert: [{ ...(peers[0] as Peer), wireguard_key: KEYS[5] as string }] } });
  assert.deepEqual(node.driver.calls, ['apply 1 1', 'read 2']);
  assert.equal(node.inputs.length, 0, 'the packet filter knows addresses, not keys');

  await node.take({ acl: { upsert: [allow(3, 'tcp:22', 'icmp')] } });
  assert.equal(node.driver.calls.length, 2, 'WireGuard knows peers, not what they may do');
  assert.deepEqual(
    node.inputs.map((text) => text.trim().split('\n').length),
    [2, 2 + 2],
    'one element of each family goes in, and those of the peer are asked for',
  );
  assert.deepEqual(node.recorded.calls, [], 'no route is looked at');
  await compare(node, place, folder.path);
});
