import { intersect, type Network, parseNetwork } from '@meshwork/addresses';
import type { Conditions } from '../document/document.ts';
import { isAtLeast } from '../document/version.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { PolicyIndex, ReadGrant } from './policy-index.ts';
import { opens, type Wanted } from './wanted.ts';

/** What keeps a grant from allowing something. */
export type Defect =
  | 'from'
  | 'to'
  | 'port'
  | 'lapsed'
  | 'fresh'
  | 'agent_version'
  | 'tag'
  | 'within'
  | 'via'
  /** The provider is in another boundary, its network is not for the whole mesh, and the grant does not name it. */
  | 'unshared';

/** A grant that does not allow it, and all that is missing for it to. */
export interface Miss {
  readonly read: ReadGrant;
  readonly defects: readonly Defect[];
  /** To compare misses of one attempt, and those through different providers. */
  readonly distance: number;
}

export type Classed = Pick<PolicyNode, 'name' | 'tags' | 'boundary' | 'agent_version' | 'fresh' | 'shares'>;

/** The flow to find a grant for. */
interface Attempt {
  readonly source: Classed;
  /** The other end, or who forwards to the address. Undefined: no node does, and the requirements on it are not checked. */
  readonly target: Classed | undefined;
  /** An address behind the target, as a network of one. Undefined: the target itself is meant. */
  readonly behind: Network | undefined;
  readonly wanted: Wanted;
  readonly lapsed: ReadonlySet<number>;
  /** If not all of it may be shown, grants that the source has no part in are considered only where they lead to the target itself. */
  readonly whole_policy: boolean;
}

/**
 * How far a grant is from allowing it when one thing is missing, nearest first. One more port is a word in the policy; a
 * grant that has lapsed was wanted once; a condition, a boundary and a group are there on purpose.
 */
const DISTANCE: Readonly<Record<Defect, number>> = {
  port: 1,
  lapsed: 2,
  fresh: 3,
  agent_version: 3,
  tag: 3,
  within: 4,
  via: 4,
  unshared: 4,
  from: 20,
  to: 30,
};
/** A port should not be opened to every node because one node needs it: any grant that is about one of the two is nearer. */
const PORT_FOR_ALL = 40;
/** Two things that are missing are further than any one of them, as long as both ends are the right ones. */
const EACH_MORE = 5;

const NOWHERE: ReadonlySet<string> = new Set();

/** The grant that comes nearest, which may well allow it: then it has no defects. Undefined: none is near. */
export function nearestMiss(index: PolicyIndex, attempt: Attempt): Miss | undefined {
  const sourceGroups = index.groupsOf(attempt.source);
  const targetGroups = attempt.target === undefined ? NOWHERE : index.groupsOf(attempt.target);
  let best: Miss | undefined;
  const consider = (read: ReadGrant) => {
    const defects = defectsOf(read, attempt, { sourceGroups, targetGroups });
    const distance = distanceOf(defects, index.isWide(read));
    if (defects === undefined || distance === undefined) return;
    // Of a grant from other groups, only its two groups may be shown, and not what it requires of them.
    if (!attempt.whole_policy && defects.length > 1 && defects.includes('from')) return;
    if (
      best !== undefined &&
      (distance > best.distance || (distance === best.distance && read.index > best.read.index))
    )
      return;
    best = { read, defects, distance };
  };
  for (const group of sourceGroups) for (const read of index.grantsFrom(group)) consider(read);
  if (attempt.behind !== undefined) {
    if (attempt.whole_policy) for (const read of index.outward) consider(read);
  } else for (const group of targetGroups) for (const read of index.grantsTo(group)) consider(read);
  return best;
}

interface Groups {
  readonly sourceGroups: ReadonlySet<string>;
  readonly targetGroups: ReadonlySet<string>;
}

/** Undefined: it is about something else altogether. */
function defectsOf(read: ReadGrant, attempt: Attempt, groups: Groups): readonly Defect[] | undefined {
  const { grant, network } = read;
  const { source, target, behind } = attempt;
  if ((network === undefined) !== (behind === undefined)) return undefined;
  const defects: Defect[] = [];
  if (!groups.sourceGroups.has(grant.from)) defects.push('from');
  if (!leadsTo(read, behind, groups)) defects.push('to');
  // It names neither of the two.
  if (defects.length === 2) return undefined;
  if (!opens(read.allows, attempt.wanted)) defects.push('port');
  if (attempt.lapsed.has(read.index)) defects.push('lapsed');
  if (grant.when !== undefined) defects.push(...unmet(grant.when, source));
  if (target === undefined) return defects;
  if (grant.within === 'boundary' && !isSameBoundary(source, target)) defects.push('within');
  if (grant.via !== undefined && !groups.targetGroups.has(grant.via)) defects.push('via');
  const isOpen = grant.via === undefined && grant.within === undefined;
  if (behind !== undefined && isOpen && needsVia(source, target, behind)) defects.push('unshared');
  return defects;
}

function leadsTo({ grant, network }: ReadGrant, behind: Network | undefined, { targetGroups }: Groups): boolean {
  if (network === undefined) return targetGroups.has(grant.to);
  return behind !== undefined && intersect(network, behind) !== undefined;
}

function unmet(when: Conditions, source: Classed): readonly ('fresh' | 'agent_version' | 'tag')[] {
  const failed: ('fresh' | 'agent_version' | 'tag')[] = [];
  if (when.fresh === true && !source.fresh) failed.push('fresh');
  if (when.agent_version !== undefined && !isAtLeast(source.agent_version, when.agent_version))
    failed.push('agent_version');
  if (when.tag !== undefined && !source.tags.includes(when.tag)) failed.push('tag');
  return failed;
}

/** Whether the source may go through the target only where a grant names it. */
export function needsVia(source: Classed, target: Classed, host: Network): boolean {
  if (isSameBoundary(source, target)) return false;
  return !target.shares.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && intersect(network, host) !== undefined;
  });
}

export function isSameBoundary(a: Pick<PolicyNode, 'boundary'>, b: Pick<PolicyNode, 'boundary'>): boolean {
  const { team, surface, environment } = a.boundary;
  return team === b.boundary.team && surface === b.boundary.surface && environment === b.boundary.environment;
}

/** Undefined: so far off that to mention it would mislead. */
function distanceOf(defects: readonly Defect[] | undefined, isWide: boolean): number | undefined {
  if (defects === undefined) return undefined;
  const isElsewhere = defects.includes('from') || defects.includes('to');
  if (isElsewhere && (defects.includes('port') || defects.includes('lapsed'))) return undefined;
  const forAll = isWide && defects.includes('port') ? PORT_FOR_ALL : 0;
  return defects.reduce((sum, defect) => sum + DISTANCE[defect], forAll) + EACH_MORE * Math.max(0, defects.length - 1);
}
