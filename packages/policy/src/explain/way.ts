import type { Network } from '@meshwork/addresses';
import type { Engine } from '../engine/engine.ts';
import type { ExplanationStep } from './explanation.ts';
import type { LinkFacts, NodeFacts, OfferFacts } from './facts.ts';
import type { PolicyIndex } from './policy-index.ts';
import type { Roll } from './roll.ts';
import type { Wanted } from './wanted.ts';
import { capital } from './wording.ts';

/** A node at one end of the way, and what it may be called. */
export interface End {
  readonly node: NodeFacts;
  readonly name: string;
  readonly hidden: boolean;
}

/** One way from a node to another, or through another to an address. Every check looks at one of these. */
export interface Way {
  readonly engine: Engine;
  readonly index: PolicyIndex;
  readonly roll: Roll;
  /** Whether the caller may read all of it: see `ExplainFacts`. */
  readonly whole_policy: boolean;
  readonly source: End;
  /** Where it ends, or who forwards. Undefined: no node forwards to the address. */
  readonly target: End | undefined;
  readonly behind: Behind | undefined;
  /** Of the addresses that are used. */
  readonly family: 4 | 6;
  readonly wanted: Wanted;
  /** The same as text: `tcp:22`. */
  readonly port: string;
  readonly link: LinkFacts;
  /** The service that the question names, and how many nodes offer it. */
  readonly service: { readonly name: string; readonly offered: number } | undefined;
  /** The name that the question has for its destination. Absent: it has an address or an id. */
  readonly name?: AskedName | undefined;
}

/** A name of the mesh, as DNS has it, and where it leads on the source. */
export interface AskedName {
  readonly name: string;
  readonly kind: 'node' | 'service';
  /** Empty: it does not resolve, because no peer of the source has it. */
  readonly addresses: readonly string[];
}

/** What is not a node of the mesh, and where it is. */
export interface Behind {
  readonly address: string;
  /** The address alone. */
  readonly host: Network;
  /** What the target forwards to. */
  readonly network: string;
  /** The address is the target's own: its packets go there like any other, and end at the target as those to a node do. */
  readonly is_own: boolean;
  readonly offers: readonly OfferFacts[];
  /** The node that has the address. Undefined: none is known. */
  readonly holder: NodeFacts | undefined;
}

/** A step, with the reason and the fixes in case it decides the verdict. */
export interface Finding extends ExplanationStep {
  /** The reason in a few words, to be made a sentence of. Empty where it passes. */
  readonly clause: string;
  /** Each is enough by itself to get past this. One that takes several steps has a line for each. */
  readonly fix: readonly string[];
  /** It is not even certain that what is forbidden is stopped: another program may lead it past the filter. */
  readonly may_open?: boolean;
  /** It matters only once the ends are peers: until then they cannot reach each other, whatever this says. */
  readonly moot?: boolean;
}

export const UNSEEN = 'a node that you may not see';

export function pass(check: Finding['check'], detail: string): Finding {
  return { check, outcome: 'pass', detail, clause: '', fix: [] };
}

/** Where the target only passes it on. Undefined: it ends at the target. */
export function beyond({ behind }: Way): Behind | undefined {
  return behind?.is_own === true ? undefined : behind;
}

export function arePeers({ engine, source, target }: Way): boolean {
  const from = engine.cohortOf(source.node.id);
  const to = target === undefined ? undefined : engine.cohortOf(target.node.id);
  return from !== undefined && to !== undefined && engine.arePeers(from, to);
}

/**
 * Whether the answer depends on how things are at the ends right now. Between nodes that are no peers it does not: WireGuard
 * itself drops what comes from a stranger, and what an end has applied says who its peers are.
 */
export function isConcerned(way: Way): boolean {
  return way.target === undefined || arePeers(way);
}

/** The address of an end that is used. Undefined: it has none of this family. */
export function addressOf({ node }: End, { family }: Way): string | undefined {
  return family === 4 ? node.address : (node.address6 ?? undefined);
}

/** What the question calls its destination. */
function destinationName({ behind, target }: Way): string {
  return behind?.address ?? target?.name ?? '';
}

/** How a sentence starts: names of nodes keep their small letters, everything else gets a capital. */
export function starting({ source, target }: Way, clause: string): string {
  const names = [source.name, target === undefined || target.hidden ? undefined : target.name];
  const startsWithName = names.some((name) => name !== undefined && clause.startsWith(`${name} `));
  return startsWithName ? clause : capital(clause);
}

/** `reach git-1 on tcp:22`. */
export function reaching(way: Way): string {
  const how = way.wanted.protocol === 'icmp' ? 'by icmp' : `on ${way.port}`;
  return `reach ${destinationName(way)} ${how}`;
}
