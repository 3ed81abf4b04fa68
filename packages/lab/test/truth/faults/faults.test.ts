/** Each fault does to packets what it says, and the mesh is whole again once it is mended. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../until.ts';
import { BEHIND_NAT, METER_PORT } from '../roster.ts';
import { RunningFault } from '../running-fault.ts';
import { bare, World } from '../world.ts';
import { FAULT_NAMES, FAULTS, type FaultName } from './index.ts';
import { agentsAt, signalAll } from './processes.ts';

/**
 * What becomes of a connection between the node of the fault and another one. `in`: to the node nothing gets through, `out`:
 * from it nothing does. `opens`: what is not granted gets through. `passes`: it goes on, or does so again by itself. `regrants`:
 * it goes on in the end, and what else is granted changes meanwhile.
 */
const REALITY: Readonly<Record<FaultName, 'in' | 'out' | 'opens' | 'passes' | 'regrants'>> = {
  'agent-terminated': 'passes',
  'agent-killed': 'passes',
  'agent-stopped': 'passes',
  'agent-restarted': 'passes',
  'clock-wrong': 'passes',
  'wireguard-killed': 'passes',
  'wireguard-stopped': 'in',
  quarantine: 'in',
  drain: 'passes',
  rekey: 'passes',
  replace: 'passes',
  retag: 'passes',
  withdraw: 'passes',
  'policy-flap': 'regrants',
  'coordinator-killed': 'passes',
  'rule-kills-wireguard': 'in',
  'rule-one-family': 'passes',
  'rate-rule': 'passes',
  'listener-gone': 'passes',
  'table-dormant': 'opens',
  'table-reordered': 'opens',
  'table-deleted': 'opens',
  'table-flushed': 'opens',
  'ruleset-flushed': 'opens',
  'rule-inserted': 'passes',
  'foreign-drop-before': 'in',
  'foreign-drop-after': 'in',
  'foreign-drop-out': 'out',
  'foreign-accept': 'passes',
  'foreign-drop-underlay': 'in',
  'iptables-drop': 'in',
  'link-cut': 'in',
  'link-cut-one-way': 'in',
  'coordinator-cut': 'passes',
  'mtu-hole': 'passes',
  'host-off': 'in',
  'host-suspended': 'in',
  'nat-moved': 'passes',
  'interface-down': 'passes',
  'address-removed': 'passes',
  'routes-flushed': 'passes',
  'rule-deleted': 'passes',
  'ip-rule': 'out',
  'route-added': 'out',
  'names-removed': 'passes',
};

/** Faults of different lanes do not meet. Those of everyone have the mesh for themselves. */
const LANES = [
  ['red-1', 'red-2'],
  ['red-3', 'blue-1'],
  ['blue-2', 'blue-3'],
] as const;
const PORT = 7002;
/** With it a table is reordered by its policy, which opens it. */
const SEED = 3;
const POLICY = { groups: { everyone: ['*'] }, grants: [{ from: 'everyone', to: 'everyone', allow: [`tcp:${PORT}`] }] };

describe('a fault', () => {
  let world: World;
  before(async () => {
    world = await World.start();
    await world.settle(AbortSignal.timeout(60_000));
    await world.setPolicy(POLICY);
    await world.settle(AbortSignal.timeout(60_000));
  });
  after(() => world?.[Symbol.asyncDispose]());

  const alone = FAULT_NAMES.filter((name) => ['everyone', 'nat', 'provider'].includes(FAULTS[name].on ?? ''));
  const others = FAULT_NAMES.filter((name) => !alone.includes(name));
  describe('of one node', { concurrency: true }, () => {
    for (const [at, lane] of LANES.entries()) {
      describe(`between ${lane.join(' and ')}`, { concurrency: 1 }, () => {
        for (const name of others.filter((_, index) => index % LANES.length === at)) {
          test(name, () => happens(name, lane));
        }
      });
    }
  });
  describe('of everyone, or of a node with a part of its own', () => {
    for (const name of alone) {
      const on = { nat: BEHIND_NAT, provider: 'gw-1' } as const;
      const node = on[FAULTS[name].on as keyof typeof on] ?? 'red-1';
      test(name, () => happens(name, [node, 'red-2']));
    }
  });

  async function happens(name: FaultName, [node, peer]: readonly [string, string]): Promise<void> {
    const outside = FAULTS[name].on === 'pair' ? peer : node;
    const fault = new RunningFault(world, { fault: name, node, other: outside, seed: SEED });
    const reality = REALITY[name];
    const [from, to] = reality === 'out' ? [node, peer] : [peer, node];
    await untilWhole(node, peer);
    const endBeat = await world.prober(peer).beat(bare(world.node(node).address), METER_PORT);
    // What opens or cuts is put back sooner than a packet may come: there the agent waits until one has shown it.
    const isPutBack = FAULTS[name].putBack !== undefined && reality !== 'passes';
    const waiting = isPutBack ? await agentsAt(world.host(node)) : [];
    signalAll(waiting, 'SIGSTOP');
    try {
      await fault.begin();
      if (reality === 'in' || reality === 'out') await untilIt('fails', from, to);
      if (reality === 'passes') await untilIt('connects', from, to);
      if (reality === 'opens') await untilFilter('open', node, peer);
    } finally {
      signalAll(waiting, 'SIGCONT');
      await fault.mend(); // the next one begins with a mesh that is whole
    }
    const openings = await endBeat();
    if (reality !== 'regrants') assert.equal(openings.length > 0, reality === 'opens', JSON.stringify(openings));
    await untilWhole(node, peer);
  }

  /** What is granted passes, what is not does not, and the coordinator knows that all is in effect. */
  async function untilWhole(node: string, peer: string): Promise<void> {
    await until(
      async () => (await world.unsettled([node, peer])).length === 0,
      () => `${node} and ${peer} settle`,
    );
    await untilIt('connects', node, peer);
    await untilIt('connects', peer, node);
    await untilFilter('closed', node, peer);
  }

  async function untilFilter(is: 'open' | 'closed', node: string, peer: string): Promise<void> {
    const meter = { host: bare(world.node(node).address), protocol: 'udp', timeout_ms: 300 } as const;
    await until(
      async () => {
        const { outcome } = await world.prober(peer).connect(meter.host, METER_PORT, meter);
        return (outcome === 'timed out') === (is === 'closed');
      },
      () => `the filter of ${node} is ${is}`,
    );
  }

  async function untilIt(does: 'connects' | 'fails', from: string, to: string): Promise<void> {
    let last = '';
    await until(
      async () => {
        const host = bare(world.node(to).address);
        const { outcome } = await world.prober(from).connect(host, PORT, { timeout_ms: 1500 });
        last = outcome;
        return (outcome === 'connected' || outcome === 'refused') === (does === 'connects');
      },
      () => `${from} to ${to}: ${does}; it is ${last}`,
    );
  }
});
