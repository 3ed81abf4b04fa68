import type { Network } from '@meshwork/addresses';
import type { Grant } from '../document/document.ts';
import type { Selectable } from '../document/selector.ts';
import { alone, type Fitting, groupFor } from './fitting-group.ts';
import type { Forbidding } from './forbidding-tests.ts';
import { type Classed, needsVia } from './nearest-miss.ts';
import type { PolicyIndex } from './policy-index.ts';

export interface Suggestion {
  readonly index: PolicyIndex;
  readonly source: Classed;
  readonly target: Classed | undefined;
  readonly isTargetHidden: boolean;
  readonly address: string | undefined;
  /** The same as a network of one. */
  readonly host: Network | undefined;
  readonly port: string;
  readonly tests: Forbidding;
  /** The grant that comes nearest holds within a boundary. `keep`: so may this one. `leave`: that is what is wrong with it. */
  readonly within?: 'keep' | 'leave';
}

/**
 * The grant that allows just this: between the narrowest groups that the two are in, with a group
 * of its own for a node that has no fitting one. Where a test keeps out others of those groups, it is for the two alone.
 */
export function suggestGrant(suggestion: Suggestion): string {
  const { index, source, target, isTargetHidden, address, tests } = suggestion;
  const from = groupFor(source, index);
  if (address !== undefined) {
    const narrow = tests.forbids(from, undefined) ? alone(source, index) : from;
    if (!isNamed(suggestion)) return written(suggestion, [narrow], asNetwork(address));
    if (isTargetHidden || target === undefined) return 'Ask an operator who can change the policy for access.';
    const via = groupFor(target, index);
    return written(suggestion, [narrow, via], asNetwork(address), via.name);
  }
  if (isTargetHidden || target === undefined) return 'Write a grant for it.';
  const to = groupFor(target, index);
  if (!tests.forbids(from, to)) return written(suggestion, [from, to], to.name);
  const own = alone(target, index);
  return written(suggestion, [alone(source, index), own], own.name);
}

/** Whether the grant has to name who forwards: see `needsVia`. */
function isNamed({ source, target, host }: Suggestion): boolean {
  return target !== undefined && host !== undefined && needsVia(source, target, host);
}

/** The same, where both ends have a group already that says what they are. */
export function fittingGrant(suggestion: Suggestion): readonly string[] {
  const { index, source, target, isTargetHidden, address } = suggestion;
  const isKnown = (node: Selectable) => groupFor(node, index).node === undefined;
  const isOpen = address !== undefined && !isNamed(suggestion);
  const isFitting = isOpen || (target !== undefined && !isTargetHidden && isKnown(target));
  return isFitting && isKnown(source) ? [suggestGrant(suggestion)] : [];
}

/** Those that are groups. */
type Ends = readonly [from: Fitting, ...to: Fitting[]];

function written({ port, tests, within }: Suggestion, ends: Ends, to: string, via?: string): string {
  const made = ends.flatMap(({ name, node }) => (node === undefined ? [] : [`"${name}": ["node:${node}"]`]));
  const missing = [...new Set(made)];
  const also =
    missing.length === 0
      ? ''
      : `, and with it ${missing.length === 1 ? 'the group' : 'the groups'} ${missing.join(', ')}`;
  const over = within === 'leave' ? ' that reaches over boundaries' : '';
  // Between two nodes, a boundary excludes no other node.
  const isKept = within === 'keep' && made.length < 2;
  const grant = grantText({
    from: ends[0].name,
    to,
    allow: [port],
    ...(via !== undefined && { via }),
    ...(isKept && { within: 'boundary' }),
  });
  return `Write a grant${over}${tests.despite}: ${grant}${also}.`;
}

/** What it allows comes last, as the end of it is looked for there. */
function grantText({ from, to, via, within, allow }: Grant): string {
  const through = via === undefined ? '' : `, "via": "${via}"`;
  const conditions = `${through}${within === undefined ? '' : `, "within": "${within}"`}`;
  return `{"from": "${from}", "to": "${to}"${conditions}, "allow": ["${allow.join('", "')}"]}`;
}

function asNetwork(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}
