/**
 * What a node's way to its coordinator depends on, out of all that an engine puts into effect. Only guarded parts are ever
 * rolled back. What peers may do here is none of them: a revoked grant stays revoked, however long the coordinator is away. See decision 0039.
 */
import type { Applied, AppliedSection } from '@meshwork/contract';
import type { Shape } from '@meshwork/contract/answers';
import type { HeldView } from '../view/held-view.ts';

/** One part. The engine that it belongs to says what it is. `V` is plain JSON: it outlives the agent in a file. */
export interface GuardedPart<V = unknown> {
  readonly name: string;
  /** The section that brings it, and that a rollback of it is reported with. */
  readonly section: AppliedSection;
  /** Of a node that has received nothing yet. A heartbeat is answered under this before anything else can be. */
  readonly none: V;
  /** Of the value, as it is read back from the file. */
  readonly shape: Shape;
}

/** One part as it is wanted, in effect or proven, with the state of the section that brought it. */
export interface Part<V = unknown> {
  readonly value: V;
  readonly revision: number;
  readonly digest: string;
}

/** What is to be put into effect: the wanted part, or the proven one. */
export interface Chosen<V = unknown> extends Part<V> {
  /** Its name. */
  readonly part: string;
  readonly text: string;
}

/** Has the last word on the parts that could cut a node off. `RollbackGuard` is the one of a host. */
export interface PartGuard {
  /** What to put into effect, now that this is wanted. */
  choose<V>(part: GuardedPart<V>, wanted: Part<V>): Chosen<V>;
  /** Puts chosen parts into effect. */
  put<T>(parts: readonly Chosen[], work: () => Promise<T>): Promise<T>;
  /** How a section falls short because a part of it is held back. Undefined: it does not. */
  shortfall(section: AppliedSection): Applied | undefined;
}

/** Lets everything pass: what is wanted is put into effect and stays so. */
export const NO_GUARD: PartGuard = {
  choose: ({ name }, wanted) => ({ ...wanted, part: name, text: '' }),
  put: (_, work) => work(),
  shortfall: () => undefined,
};

/** A plan, and the guarded parts that are in it. */
export interface Guarded<T> {
  readonly plan: T;
  readonly parts: readonly Chosen[];
}

/** Asks the guard about a part, with the state of the section that brought it. */
export function choosePart<V>(guard: PartGuard, view: HeldView, part: GuardedPart<V>, value: V): Chosen<V> {
  const { section } = part;
  return guard.choose(part, { value, revision: view.revisionOf(section), digest: view.digestOf(section) });
}
