/** What happens on the way between hosts, and to hosts as a whole. */
import { plannedNode } from '../../../src/namespaces/plan/lab-plan.ts';
import { COORDINATOR } from '../../../src/namespaces/plan/lab-spec.ts';
import { killWireguard, wireguardAt } from '../../real-mesh/host-faults.ts';
import type { Fault, Stage } from './fault.ts';
import { nft } from './filter-faults.ts';
import { agentsAt, signalAll } from './processes.ts';

const portOf = ({ world }: Stage, name: string) => plannedNode(world.scene.lab.plan, name).port;
const net = ({ world }: Stage) => world.scene.lab.place('net');
const setPort = (stage: Stage, state: 'up' | 'down') =>
  net(stage).exec('ip', ['link', 'set', portOf(stage, stage.node), state]);

const cutFrom = (other: (stage: Stage) => string): Fault['begin'] => {
  return async (stage) => {
    const { lab } = stage.world.scene;
    await lab.cut(stage.node, other(stage));
    return () => lab.mend(stage.node, other(stage));
  };
};

export const LINK_FAULTS = {
  'link-cut': { on: 'pair', hidden: true, begin: cutFrom(({ other }) => other) },
  'link-cut-one-way': {
    on: 'pair',
    hidden: true,
    begin: async (stage) => {
      const element = `bridge lab between { "${portOf(stage, stage.node)}" . "${portOf(stage, stage.other)}" }`;
      await nft(net(stage), `add element ${element}`);
      return () => nft(net(stage), `delete element ${element}`);
    },
  },
  'coordinator-cut': { hidden: true, begin: cutFrom(() => COORDINATOR) },
  /** Large packets are lost on the underlay, small ones pass: a connection opens, and explain promises no more. */
  'mtu-hole': {
    hidden: true,
    begin: async (stage) => {
      const port = portOf(stage, stage.node);
      const rules = [`iifname "${port}"`, `oifname "${port}"`].map((end) => `${end} meta length > 800 drop`);
      const hook = 'type filter hook forward priority 10; policy accept;';
      await nft(net(stage), `table bridge hole-${port} {\n chain pass {\n ${hook}\n ${rules.join('\n')}\n }\n }`);
      return () => nft(net(stage), `delete table bridge hole-${port}`);
    },
  },
  /** Its processes are gone and its link is down, at once. */
  'host-off': {
    hidden: true,
    begin: async (stage) => {
      const host = stage.world.host(stage.node);
      stage.world.off.add(stage.node);
      await Promise.all([setPort(stage, 'down'), host.agent.stop('SIGKILL'), killWireguard(host)]);
      return async () => {
        await setPort(stage, 'up');
        await host.agent.start();
        stage.world.off.delete(stage.node);
      };
    },
  },
  'host-suspended': {
    hidden: true,
    begin: async (stage) => {
      const host = stage.world.host(stage.node);
      stage.world.off.add(stage.node);
      const pids = [...(await agentsAt(host)), ...(await wireguardAt(host))];
      signalAll(pids, 'SIGSTOP');
      await setPort(stage, 'down');
      return async () => {
        await setPort(stage, 'up');
        signalAll(pids, 'SIGCONT');
        stage.world.off.delete(stage.node);
      };
    },
  },
  /** A router that is started again forgets what it translates, and chooses another port. */
  'nat-moved': {
    on: 'nat',
    hidden: true,
    begin: async ({ world, node, random }) => {
      const router = world.scene.lab.place(`nat-${node}`);
      const gateway = (await router.exec('ip', ['route', 'show', 'default'])).match(/via (\S+)/)?.[1] ?? '';
      const port = 40_000 + random.below(20_000);
      await nft(router, `insert rule ip router out oifname "eth0" udp sport 51820 masquerade to :${port}`);
      await router.exec('ip', ['link', 'set', 'eth0', 'down']);
      await router.exec('ip', ['link', 'set', 'eth0', 'up']);
      await router.exec('ip', ['route', 'replace', 'default', 'via', gateway]);
      return undefined;
    },
  },
} as const satisfies Record<string, Fault>;
