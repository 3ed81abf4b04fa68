/** What happens to the agent and to WireGuard's process. */
import { fileURLToPath } from 'node:url';
import { killWireguard, wireguardAt } from '../../real-mesh/host-faults.ts';
import { type Fault, instant, type Stage } from './fault.ts';
import { agentsAt, signalAll } from './processes.ts';

const WRONG_CLOCK = fileURLToPath(new URL('./wrong-clock.ts', import.meta.url));

const hostOf = ({ world, node }: Stage) => world.host(node);

const endedBy = (signal: 'SIGTERM' | 'SIGKILL'): Fault['begin'] => {
  return async (stage) => {
    await hostOf(stage).agent.stop(signal);
    return () => hostOf(stage).agent.start();
  };
};

/** Stops processes where they are, until they go on. */
const frozen = (find: (stage: Stage) => Promise<number[]>): Fault['begin'] => {
  return async (stage) => {
    const pids = await find(stage);
    signalAll(pids, 'SIGSTOP');
    return async () => signalAll(pids, 'SIGCONT');
  };
};

export const AGENT_FAULTS = {
  'agent-terminated': { hidden: true, begin: endedBy('SIGTERM') },
  'agent-killed': { hidden: true, begin: endedBy('SIGKILL') },
  'agent-stopped': { hidden: true, begin: frozen((stage) => agentsAt(hostOf(stage))) },
  'agent-restarted': {
    hidden: true,
    begin: instant(async (stage) => {
      await hostOf(stage).agent.stop(stage.random.pick(['SIGTERM', 'SIGKILL'] as const));
      await hostOf(stage).agent.start();
    }),
  },
  /** Its wall clock is hours off. WireGuard's process keeps the right one. */
  'clock-wrong': {
    hidden: true,
    begin: async (stage) => {
      const { agent } = hostOf(stage);
      const shift_s = stage.random.pick([-7200, -90, 90, 7200]);
      const settings = { NODE_OPTIONS: `--import=${WRONG_CLOCK}`, WRONG_CLOCK_SHIFT_S: `${shift_s}` };
      await agent.stop();
      await agent.start(settings);
      return async () => {
        await agent.stop();
        await agent.start();
      };
    },
  },
  'wireguard-killed': {
    hidden: true,
    putBack: 'peers',
    begin: instant((stage) => killWireguard(hostOf(stage))),
  },
  'wireguard-stopped': { hidden: true, begin: frozen((stage) => wireguardAt(hostOf(stage))) },
} as const satisfies Record<string, Fault>;
