import type { Spoken } from './miss-words.ts';
import type { Defect, Miss } from './nearest-miss.ts';
import { fittingGrant, type Suggestion, suggestGrant } from './suggest-grant.ts';
import { wakeUp } from './wording.ts';

/**
 * What would make it possible, the smallest change first. Each is enough by itself: where several things are missing, what
 * mends one of them is no help without the others.
 */
export function missFixes(miss: Miss, spoken: Spoken): readonly string[] {
  const { defects } = miss;
  const asked = { ...spoken, ...boundaryOf(miss, spoken) };
  if (isReplaced(miss, spoken)) return [suggestGrant(asked)];
  const [first, ...others] = defects.filter(isMendable);
  if (first === undefined) return [wakeUp({ name: spoken.source.name, hidden: false })];
  const all = others.reduce(
    (ways, defect) => ways.flatMap((way) => STEPS[defect](miss, spoken).map((step) => `${way}, and ${small(step)}`)),
    STEPS[first](miss, spoken),
  );
  const isElsewhere = defects.includes('from') || defects.includes('to') || defects.includes('unshared');
  return [...all.map((way) => `${way}${spoken.tests.despite}.`), ...(isElsewhere ? fittingGrant(asked) : [])];
}

/** Nothing that could be done to the grant would do: it holds within a boundary, is for every node, or leads elsewhere. */
function isReplaced({ read, defects }: Miss, { index, address }: Spoken): boolean {
  return (
    defects.includes('within') ||
    (defects.includes('port') && index.isWide(read)) ||
    (defects.includes('to') && address !== undefined)
  );
}

/** What holds only within a boundary stays so where it can. Of a grant from other groups it is not shown. */
function boundaryOf({ read, defects }: Miss, { target, whole_policy }: Spoken): Pick<Suggestion, 'within'> {
  if (defects.includes('within')) return { within: 'leave' };
  const isShown = whole_policy || !defects.includes('from');
  return read.grant.within === 'boundary' && target !== undefined && isShown ? { within: 'keep' } : {};
}

/** A boundary takes another grant; and that the source is offline is reported of the source itself, before anything else. */
type Mendable = Exclude<Defect, 'within' | 'fresh'>;

function isMendable(defect: Defect): defect is Mendable {
  return defect !== 'within' && defect !== 'fresh';
}

/** Ways to mend one thing, each a sentence that may go on. */
const STEPS: Readonly<Record<Mendable, (miss: Miss, spoken: Spoken) => readonly string[]>> = {
  port: ({ read }, { port }) => [`Add "${port}" to the grant ${read.name}`],
  lapsed: ({ read }) => [`Give the grant ${read.name} a later "expires", or none`],
  agent_version: ({ read }, { source }) => [
    `Update the agent on ${source.name} to ${read.grant.when?.agent_version} or later`,
  ],
  tag: ({ read }, { source }) => [`Give ${source.name} the tag ${read.grant.when?.tag}`],
  via: ({ read }, spoken) => joining(read.grant.via ?? '', 'target', spoken),
  unshared: (_, { targetName, isTargetHidden, network }) =>
    isTargetHidden
      ? ['Ask an operator who can change the policy for access']
      : [`Approve ${network} on ${targetName} for the whole mesh (mesh node routes --share)`],
  from: ({ read }, spoken) => joining(read.grant.from, 'source', spoken),
  to: ({ read }, spoken) => joining(read.grant.to, 'target', spoken),
};

/** How a node becomes one of a group. By a tag, where there is one: groups are meant to be kept so. */
function joining(group: string, end: 'source' | 'target', spoken: Spoken): readonly string[] {
  if (end === 'target' && spoken.isTargetHidden) return ['Ask an operator who can change the policy for access'];
  const name = end === 'source' ? spoken.source.name : spoken.targetName;
  if (!spoken.whole_policy) return [`Ask an operator who can change the policy to add ${name} to the group ${group}`];
  const tag = spoken.index.leavesOf(group).find((leaf) => leaf.kind === 'tag')?.tag;
  const byTag = tag === undefined ? [] : [`Give ${name} the tag ${tag}, which makes it one of ${group}`];
  return [...byTag, `Add "node:${name}" to the group ${group}`];
}

function small(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
