import { type AppliedFacts, EXPLAINED_SECTIONS, type ExplainedSection, isSilent, type NodeState } from './facts.ts';
import { together } from './fixes.ts';
import { type End, type Finding, isConcerned, pass, type Way } from './way.ts';
import { capital, listed } from './wording.ts';

/** They have no peers. Whether that is in effect shows at the other end, which must not know them any more. */
const OUTSIDE: readonly NodeState[] = ['pending', 'quarantined', 'removed'];

/** Whether the policy is in effect on every node on the way. Undefined: none of them is a member. */
export function checkApplied(way: Way): Finding | undefined {
  const { engine, source, target } = way;
  const isDropped = ({ node }: End) => engine.document.stale === 'drop' && isSilent(node.state);
  const members = [source, target].filter(
    (end): end is End => end !== undefined && !OUTSIDE.includes(end.node.state) && !isDropped(end),
  );
  if (members.length === 0) return undefined;
  const behind = members.flatMap((end) => lagOf(end) ?? filterOf(end) ?? []);
  const [first] = behind;
  if (first === undefined) {
    return pass('applied', `${capitalHidden(members, allIsWell(members))}.`);
  }
  return {
    check: 'applied',
    outcome: 'unknown',
    detail: behind.map(({ detail }) => detail).join(' '),
    clause: first.clause,
    fix: together(behind.map(({ fix }) => fix)),
    moot: !isConcerned(way) && behind.every(({ isFilter }) => isFilter),
  };
}

function allIsWell(members: readonly End[]): string {
  const who = listed(members.map(({ name }) => name));
  // The last report of an offline node is all there is.
  return members.some(({ node }) => isSilent(node.state))
    ? `${who} had applied the current configuration when last seen`
    : `${who} ${members.length === 1 ? 'has' : 'have'} applied the current configuration`;
}

interface Lag {
  readonly detail: string;
  readonly clause: string;
  readonly fix: string;
  /** It is about the packet filter alone. */
  readonly isFilter?: boolean;
}

/** What is not in effect on a node. An error says most, so it goes first. */
export function lagOf(end: End, sections: readonly ExplainedSection[] = EXPLAINED_SECTIONS): Lag | undefined {
  const late = sections.filter((section) => !end.node.applied[section].in_sync);
  const worst = late.find((section) => end.node.applied[section].error !== null) ?? late[0];
  if (worst === undefined) return undefined;
  if (end.hidden) return unseenLag(end);
  const clause = clauseFor(end, end.node.applied[worst], worst);
  const others = late.filter((section) => section !== worst);
  const also = others.length === 0 ? '' : ` The same goes for ${listed(others)}.`;
  return { clause, detail: `${clause}.${also}`, fix: fixFor(end, end.node.applied[worst]) };
}

/** Its filter is not as it left it: another program changed it, and it may let through or drop anything. */
function filterOf(end: End): Lag | undefined {
  const { looked } = end.node;
  if (looked === null || !looked.answered || looked.filter === null) return undefined;
  if (end.hidden) return { ...unseenLag(end), isFilter: true };
  const clause = `the packet filter on ${end.name} is not as it was applied: ${bare(looked.filter)}`;
  const fix = `Wait a moment until the agent on ${end.name} has restored it, and find out what changed it.`;
  return { clause, detail: `${capital(clause)}.`, fix, isFilter: true };
}

/** Which part, and why, is not shown of a hidden node. */
function unseenLag({ name }: End): Lag {
  const clause = `${name} has not applied the current configuration`;
  return { clause, detail: `${capital(clause)}.`, fix: `Wait for ${name} to apply it.` };
}

function clauseFor(end: End, applied: AppliedFacts, section: ExplainedSection): string {
  const { applied_revision, desired_revision, error, reason } = applied;
  if (error !== null) {
    return `${end.name} could not apply revision ${desired_revision} of ${section}: ${bare(error)}`;
  }
  if (applied_revision === null) return `${end.name} has not reported which ${section} is in effect`;
  const how = reason === null ? '' : `: ${bare(reason)}`;
  if (applied_revision < desired_revision) {
    return `${end.name} has not confirmed revision ${desired_revision} of ${section} yet${how}`;
  }
  return `${end.name} does not have the current ${section} in effect${how}`;
}

function fixFor(end: End, { error }: AppliedFacts): string {
  return error === null
    ? `Wait for the next heartbeat of ${end.name}, or check its posture: mesh node posture ${end.name}`
    : `Fix what keeps ${end.name} from applying it; see the log of its agent.`;
}

/** The sentence goes on, or ends by itself. */
function bare(text: string): string {
  return text.trim().replace(/\.$/, '');
}

function capitalHidden([first]: readonly End[], text: string): string {
  return first?.hidden ? capital(text) : text;
}
