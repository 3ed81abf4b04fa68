import { LabError } from '../lab-error.ts';
import { type LabPlan, plannedNode } from '../plan/lab-plan.ts';
import { COORDINATOR } from '../plan/lab-spec.ts';
import { runProgram, runWithUs } from './run.ts';

/**
 * Links are cut in the switch, between ports: nothing changes in a node, and everything is lost, in both directions and in
 * both families, as with a cable that is pulled. Of a site it is the port of its router.
 */
const TABLE = `table bridge lab {
  set between { type ifname . ifname
  }
  set off { type ifname
  }
  chain pass {
    type filter hook forward priority filter; policy accept;
    iifname . oifname @between drop
  }
  chain to_coordinator {
    type filter hook input priority filter; policy accept;
    iifname @off drop
  }
  chain from_coordinator {
    type filter hook output priority filter; policy accept;
    oifname @off drop
  }
}
`;

export type Cut = readonly [one: string, other: string];

export async function prepareCuts(net: string): Promise<void> {
  await runWithUs('ip', ['netns', 'exec', net, 'nft', '-f', '-'], { input: TABLE });
}

/** Cutting what is cut already, or mending what is whole, changes nothing. */
export async function setLink(plan: LabPlan, [one, other]: Cut, state: 'cut' | 'whole'): Promise<void> {
  if (one === other) throw new LabError('usage', `a link has two ends, and "${one}" is both`);
  const ends = [one, other].filter((name) => name !== COORDINATOR).map((name) => portOf(plan, name));
  if (ends.length === 2 && ends[0] === ends[1])
    throw new LabError('usage', `${one} and ${other} are behind one router`);
  const set = ends.length === 1 ? 'off' : 'between';
  const [a, b] = ends;
  const elements = b === undefined ? `"${a}"` : `"${a}" . "${b}", "${b}" . "${a}"`;
  // Deleting what is not there would fail, so it is added first. Both are one transaction.
  const add = `add element bridge lab ${set} { ${elements} }\n`;
  const input = state === 'cut' ? add : `${add}delete element bridge lab ${set} { ${elements} }\n`;
  await runWithUs('ip', ['netns', 'exec', plan.net, 'nft', '-f', '-'], { input });
}

/** Of a node or a site. A port that others share is refused, so that no more is cut than was asked for. */
function portOf({ nodes, sites, ...plan }: LabPlan, name: string): string {
  const site = sites.find((each) => each.name === (nodes.find((node) => node.name === name)?.site ?? name));
  if (site === undefined) return plannedNode({ nodes, sites, ...plan }, name).port;
  if (site.behind !== null) throw new LabError('usage', `${name} is behind ${site.behind}: cut ${site.behind} itself`);
  if (name !== site.name && nodes.some((node) => node.name !== name && node.site === site.name)) {
    throw new LabError('usage', `${name} shares the router of ${site.name} with others: cut ${site.name} itself`);
  }
  return site.port;
}

/** What is cut now, each link once. */
export async function cutsOf(plan: LabPlan): Promise<Cut[]> {
  const nameOf = (port: unknown) =>
    [...plan.sites.filter(({ behind }) => behind === null), ...plan.nodes].find((each) => each.port === port)?.name ??
    String(port);
  const [between, off] = await Promise.all([elementsOf(plan.net, 'between'), elementsOf(plan.net, 'off')]);
  const pairs = between.map((element) => (element as { concat: [string, string] }).concat);
  const links = pairs.filter(([a, b]) => a < b).map(([a, b]): Cut => [nameOf(a), nameOf(b)]);
  return [...links, ...off.map((port): Cut => [nameOf(port), COORDINATOR])];
}

async function elementsOf(net: string, set: string): Promise<readonly unknown[]> {
  const text = await runProgram('ip', ['netns', 'exec', net, 'nft', '-j', 'list', 'set', 'bridge', 'lab', set]);
  const { nftables } = JSON.parse(text) as { nftables: readonly { set?: { elem?: readonly unknown[] } }[] };
  return nftables.flatMap((entry) => entry.set?.elem ?? []);
}
