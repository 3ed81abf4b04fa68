/** Another program changes addresses, routes, rules or interfaces of a host. */
import { MESH_INTERFACE } from '@meshwork/contract';
import { ProgramFailed } from '../../../src/namespaces/network/run.ts';
import { editHosts, MESH_BLOCK } from '../../real-mesh/foreign-things.ts';
import { bare } from '../world.ts';
import { type Fault, instant, type Stage } from './fault.ts';

const ip = ({ world, node }: Stage, ...args: string[]) => world.host(node).exec('ip', args);
const addressOf = ({ world }: Stage, name: string) => bare(world.node(name).address);

/** What the agent manages: it puts it back. */
const foreign = (args: (stage: Stage) => string[]): Fault => ({
  hidden: true,
  putBack: 'self',
  begin: instant((stage) => ip(stage, ...args(stage))),
});

/** Mending what the agent has put right already is no failure. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ProgramFailed) || !/No such (process|file)/.test(error.stderr)) throw error;
  }
}

export const NETWORK_FAULTS = {
  'interface-down': foreign(() => ['link', 'set', MESH_INTERFACE, 'down']),
  'address-removed': foreign((stage) => [
    'address',
    'delete',
    `${addressOf(stage, stage.node)}/32`,
    'dev',
    MESH_INTERFACE,
  ]),
  'routes-flushed': foreign(() => ['route', 'flush', 'table', '7400']),
  'rule-deleted': foreign(() => ['rule', 'delete', 'pref', '7403']),
  /** A rule before the agent's, for one destination. */
  'ip-rule': {
    on: 'pair',
    hidden: true,
    begin: async (stage) => {
      const rule = ['pref', '50', 'to', addressOf(stage, stage.other), stage.random.pick(['blackhole', 'unreachable'])];
      await ip(stage, 'rule', 'add', ...rule);
      return () => unlessGone(ip(stage, 'rule', 'delete', ...rule));
    },
  },
  /** A route in the agent's own table that leads out of the mesh. */
  'route-added': {
    ...foreign((stage) => ['route', 'add', 'blackhole', `${addressOf(stage, stage.other)}/32`, 'table', '7400']),
    on: 'pair',
  },
  'names-removed': {
    hidden: true,
    putBack: 'peers',
    begin: instant(async ({ world, node }) => editHosts(world.host(node), (text) => text.replace(MESH_BLOCK, ''))),
  },
} as const satisfies Record<string, Fault>;
