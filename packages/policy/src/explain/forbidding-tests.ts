import type { Fitting } from './fitting-group.ts';
import type { Denial } from './policy-index.ts';
import type { TestSide } from './roll.ts';
import { beyond, type Way } from './way.ts';

/** What the policy's own tests say about a flow that is asked about. */
export interface Forbidding {
  /** To be put behind a piece of advice: `, though a test says that …`. Empty: no test forbids just this. */
  readonly despite: string;
  /** Whether a grant from one group to the other, or to the address in question, would also allow another node what a test denies it. */
  forbids(from: Fitting, to: Fitting | undefined): boolean;
}

const NO_OBJECTION: Forbidding = { despite: '', forbids: () => false };

/** A caller who may not read the whole policy learns nothing of its tests, nor which of them concern a hidden node. */
export function forbiddingTests(way: Way): Forbidding {
  const isShown = way.whole_policy && (way.target?.hidden !== true || beyond(way) !== undefined);
  const denials = isShown ? way.index.denialsOf(way.port) : [];
  if (denials.length === 0) return NO_OBJECTION;
  const direct = denials.find((denial) => isAbout(denial, way));
  if (direct !== undefined) {
    return { ...NO_OBJECTION, despite: `, though a test says that ${direct.from} must not reach ${direct.to}` };
  }
  return { despite: '', forbids: (from, to) => denials.some((denial) => isBetween(denial, { way, from, to })) };
}

function isAbout({ source, target }: Denial, way: Way): boolean {
  if (!isNamed(source, way.source.node, way)) return false;
  const behind = beyond(way);
  if (behind !== undefined) return target.kind === 'address' && target.name === behind.address;
  return way.target !== undefined && isNamed(target, way.target.node, way);
}

function isNamed({ kind, name }: TestSide, node: Way['source']['node'], { index }: Way): boolean {
  switch (kind) {
    case 'node':
      return name === node.name;
    case 'group':
      return index.groupsOf(node).has(name);
    case 'address':
      return name === node.address || name === node.address6;
  }
}

interface Between {
  readonly way: Way;
  readonly from: Fitting;
  readonly to: Fitting | undefined;
}

/** A test that names a node of the mesh by its address is not looked up: the policy does not know who has which. */
function isBetween({ source, target }: Denial, { way, from, to }: Between): boolean {
  const sources = way.roll.firstTwo(from, source);
  if (to === undefined) return target.name === beyond(way)?.address && sources.length > 0;
  const targets = way.roll.firstTwo(to, target);
  // No test is about a node with itself.
  return sources.some(({ id }) => targets.some((other) => other.id !== id));
}
