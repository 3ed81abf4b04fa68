import type { Network } from '@meshwork/addresses';
import type { Forbidding } from './forbidding-tests.ts';
import type { Classed, Defect, Miss } from './nearest-miss.ts';
import type { PolicyIndex } from './policy-index.ts';
import { boundaryText, listed, listedUpTo } from './wording.ts';

/** What the text is about, as far as it may be named. */
export interface Spoken {
  readonly index: PolicyIndex;
  readonly source: Classed;
  /** Undefined: no node forwards to the address. */
  readonly target: Classed | undefined;
  /** The target's name, or what stands for it. */
  readonly targetName: string;
  readonly isTargetHidden: boolean;
  /** Undefined: the target itself is meant. */
  readonly address: string | undefined;
  /** The same as a network of one. */
  readonly host: Network | undefined;
  /** What the target forwards to, with the address in it. Undefined, or empty: nothing. */
  readonly network: string | undefined;
  /** `tcp:22`. */
  readonly port: string;
  /** Whether the answer may say how groups are made up. */
  readonly whole_policy: boolean;
  readonly tests: Forbidding;
}

/** A group may have many selectors; more than these are counted. */
const MOST_SELECTORS = 4;

/** What is wrong with the grant that comes nearest, in one sentence. */
export function missWords(miss: Miss, spoken: Spoken): string {
  const clauses = miss.defects.map((defect) => CLAUSES[defect](miss, spoken));
  return `${miss.read.name} ${clauses.join('; it ')}.`;
}

const CLAUSES: Readonly<Record<Defect, (miss: Miss, spoken: Spoken) => string>> = {
  port: ({ read }, { port }) => `allows ${listedUpTo(read.grant.allow, MOST_SELECTORS)}, not ${port}`,
  lapsed: ({ read }) => `expired on ${read.grant.expires ?? 'a day that is gone'}`,
  fresh: (_, { source }) => `requires a fresh source, and ${source.name} is offline`,
  agent_version: ({ read }, { source }) =>
    `requires agent ${read.grant.when?.agent_version} or later, and ${source.name} ${hasVersion(source.agent_version)}`,
  tag: ({ read }, { source }) => `requires the tag ${read.grant.when?.tag}, which ${source.name} does not have`,
  within: (_, { source, target, targetName, isTargetHidden }) =>
    isTargetHidden || target === undefined
      ? 'holds only within one boundary'
      : `holds only within one boundary: ${source.name} is in ${boundaryText(source.boundary)}, ${targetName} in ${boundaryText(target.boundary)}`,
  via: ({ read }, spoken) => {
    const only = `goes only through ${read.grant.via}`;
    return spoken.isTargetHidden
      ? only
      : `${only}, and ${spoken.targetName} is not in ${knownAs(read.grant.via ?? '', spoken)}`;
  },
  unshared: (_, { targetName, isTargetHidden, network }) =>
    isTargetHidden
      ? 'names no "via", and leads only through nodes of the same boundary'
      : `names no "via", ${targetName} is in another boundary, and ${network} is not approved there for the whole mesh`,
  from: ({ read }, spoken) =>
    `allows ${spoken.port}, and ${spoken.source.name} is not in ${knownAs(read.grant.from, spoken)}`,
  to: ({ read }, spoken) =>
    spoken.address === undefined
      ? `allows ${spoken.port}, and ${spoken.targetName} is not in ${knownAs(read.grant.to, spoken)}`
      : `allows ${spoken.port}, and ${spoken.address} is not in ${read.grant.to}`,
};

/** The group and its selectors. Nodes are counted: the caller may not see them all. */
function knownAs(group: string, { index, whole_policy }: Spoken): string {
  if (!whole_policy) return group;
  const leaves = index.leavesOf(group);
  const said = leaves.flatMap((leaf) => {
    if (leaf.kind === 'tag') return [`tag ${leaf.tag}`];
    return leaf.kind === 'scope' ? [`scope ${boundaryText(leaf)}`] : [];
  });
  const nodes = leaves.filter(({ kind }) => kind === 'node').length;
  const named = nodes === 0 ? [] : [nodes === 1 ? 'one node by name' : `${nodes} nodes by name`];
  if (said.length + named.length === 0) return `${group} (which is empty)`;
  const shown = said.length > MOST_SELECTORS ? [listedUpTo(said, MOST_SELECTORS, 'or')] : said;
  return `${group} (${listed([...shown, ...named], 'or')})`;
}

function hasVersion(version: string | null): string {
  return version === null ? 'does not report its version' : `has ${version}`;
}
