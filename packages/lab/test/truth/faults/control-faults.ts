/** What operators do, and what happens to the coordinator. The coordinator knows all of it: an answer must be right from the first moment. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@meshwork/client';
import { randomPolicy, withPeers } from '../random-policy.ts';
import type { Rule } from '../random-rules.ts';
import { LISTENED_ON, ROLES, SUBNET, TEAMS } from '../roster.ts';
import { type Fault, instant, type Stage } from './fault.ts';

type OnNode = 'nodes.quarantine' | 'nodes.release' | 'nodes.drain' | 'nodes.undrain' | 'nodes.rekey';

const ask = ({ world, node }: Stage, operation: OnNode) =>
  patiently(() => world.scene.client.call(operation, { params: { id: world.node(node).id }, body: {} }));

const asked = (begin: OnNode, mend: OnNode): Fault['begin'] => {
  return async (stage) => {
    await ask(stage, begin);
    return () => ask(stage, mend);
  };
};

/** Host rules before all others, which are gone when it is mended. */
const ruled = (make: (stage: Stage) => readonly Omit<Rule, 'nodes'>[]): Fault['begin'] => {
  return async (stage) => {
    const { client } = stage.world.scene;
    const { items } = (await client.call('firewall.list', { query: { limit: 1 } })).body;
    const first = items[0]?.id;
    const ids: string[] = [];
    for (const rule of make(stage)) {
      const body = {
        ...rule,
        nodes: [`node:${stage.node}`],
        force: true,
        ...(first === undefined ? {} : { before: first }),
      };
      ids.push((await client.call('firewall.create', { body })).body.id);
    }
    return async () => {
      for (const id of ids) await client.call('firewall.delete', { params: { id } });
    };
  };
};

export const CONTROL_FAULTS = {
  quarantine: { begin: asked('nodes.quarantine', 'nodes.release') },
  drain: { begin: asked('nodes.drain', 'nodes.undrain') },
  rekey: { begin: instant((stage) => ask(stage, 'nodes.rekey')) },
  replace: { begin: instant(({ world, node }) => world.replace(node)) },
  retag: {
    begin: instant(({ world, node, random }) =>
      world.retag(node, [`team:${random.pick(TEAMS)}`, `role:${random.pick(ROLES)}`]),
    ),
  },
  withdraw: {
    on: 'provider',
    begin: async ({ world, node }) => {
      const approve = (routes: readonly string[]) => patiently(() => world.approveRoutes(world.node(node).id, routes));
      await approve([]);
      return () => approve([SUBNET.cidr]);
    },
  },
  /** There and back, several times, faster than reports come in. */
  'policy-flap': {
    on: 'everyone',
    begin: instant(async ({ world, random }) => {
      const here = world.policy;
      const there = withPeers(randomPolicy(random, Date.now()));
      for (let left = 6; left > 0; left--) {
        for (const policy of [there, here]) {
          await world.change(() => world.setPolicy(policy));
          await pause(1 + random.below(100));
        }
      }
    }),
  },
  'coordinator-killed': { on: 'everyone', begin: instant(({ world }) => world.scene.mesh.restart('SIGKILL')) },
  'rule-kills-wireguard': {
    on: 'direct',
    begin: ruled(() =>
      (['in', 'out'] as const).map((direction) => ({
        ...{ direction, interface: 'any', protocol: 'udp', ports: ['51820'], action: 'drop' },
      })),
    ),
  },
  'rule-one-family': {
    begin: ruled(({ random }) => [
      {
        ...{ direction: random.pick(['in', 'out'] as const), interface: 'mesh', protocol: 'tcp', action: 'drop' },
        to: [random.pick(['100.64.0.0/10', 'fd00::/8'])],
      },
    ]),
  },
  'rate-rule': {
    begin: ruled(({ random }) => {
      const rule = {
        direction: 'in',
        interface: 'mesh',
        protocol: 'tcp',
        ports: [`${random.pick(LISTENED_ON)}`],
      } as const;
      return [
        { ...rule, ports: [...rule.ports], action: 'accept', rate: { count: 1, per: 'second', burst: 2 } },
        { ...rule, ports: [...rule.ports], action: 'drop' },
      ];
    }),
  },
  'listener-gone': {
    begin: async ({ world, node, random }) => {
      const port = random.pick(LISTENED_ON);
      await world.setListening(node, port, false);
      return () => world.setListening(node, port, true);
    },
  },
} as const satisfies Record<string, Fault>;

const PATIENCE_MS = 30_000;

/** An operation on a node may have to wait for the one before it to be proven. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'operation_in_progress';
      if (!isBusy || performance.now() > deadline) throw error;
      await pause(100);
    }
  }
}
