/** Another program changes the agent's own packet filter. */
import type { Place } from '../../../src/namespaces/node/place.ts';
import { LISTENED_ON } from '../roster.ts';
import { type Fault, instant, type Stage } from './fault.ts';

const TABLE = 'inet mesh';

export async function nft(place: Place, text: string): Promise<void> {
  await place.exec('nft', ['-f', '-'], { input: `${text}\n` });
}

const listed = (place: Place) => place.exec('nft', ['list', 'table', 'inet', 'mesh']);

/** The agent has to find it and put it back. */
const foreign = (text: (stage: Stage) => string): Fault => ({
  hidden: true,
  opens: true,
  putBack: 'firewall',
  begin: instant((stage) => nft(stage.world.host(stage.node), text(stage))),
});

export const FILTER_FAULTS = {
  'table-dormant': {
    ...foreign(() => ''),
    begin: async ({ world, node }) => {
      const host = world.host(node);
      await nft(host, `add table ${TABLE} { flags dormant; }`);
      return async () => {
        if ((await listed(host)).includes('flags dormant')) await nft(host, `add table ${TABLE}`);
      };
    },
  },
  /** The same rules, where others have decided before them, or under a policy that lets everything through. */
  'table-reordered': {
    ...foreign(() => ''),
    begin: async ({ world, node, random }) => {
      const host = world.host(node);
      const text = await host.exec('nft', ['-n', '-s', 'list', 'table', 'inet', 'mesh']);
      await nft(host, `delete table ${TABLE}\n${reordered(text, random.pick(['priority', 'hook', 'policy']))}`);
      return undefined;
    },
  },
  'table-deleted': foreign(() => `delete table ${TABLE}`),
  'table-flushed': foreign(() => `flush table ${TABLE}`),
  'ruleset-flushed': foreign(() => 'flush ruleset'),
  'rule-inserted': foreign(
    ({ random }) => `insert rule ${TABLE} policy_in tcp dport ${random.pick(LISTENED_ON)} accept`,
  ),
} as const satisfies Record<string, Fault>;

function reordered(text: string, how: 'priority' | 'hook' | 'policy'): string {
  if (how === 'policy') return text.replaceAll('policy drop', 'policy accept').replaceAll(/ drop$/gm, ' accept');
  if (how === 'priority') return text.replaceAll(/(hook (?:input|forward|output) priority) -?\d+/g, '$1 300');
  return text.replace(/hook input/, 'hook output');
}
