/** What is known of the guarded parts: as they are wanted, chosen, proven and refused. */
import { digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import type { GuardedPart } from './guarded-part.ts';

/** One part as it is wanted, in effect or proven, with the state of the section that brought it. */
export interface Part<V = unknown> {
  readonly value: V;
  readonly revision: number;
  readonly digest: string;
}

/** By name. */
export type ProvenParts = Readonly<Record<string, Part>>;

/** A part that was rolled back, by its content: another content is tried. */
export interface Refusal {
  readonly text: string;
  readonly revision: number;
  /** When it was rolled back. */
  readonly at: string;
}

/** What outlives the agent. */
export interface RollbackState {
  readonly proven: ProvenParts;
  readonly refused: Readonly<Record<string, Refusal>>;
}

/** Of a node that is told something for the first time: the heartbeat that brought it was answered under nothing at all. */
export function nothingProven(parts: readonly GuardedPart[]): ProvenParts {
  return Object.fromEntries(
    parts.map(({ name, none }) => [name, { value: none, revision: 0, digest: digestText(EMPTY_DIGEST) }]),
  );
}

/** What is to be put into effect: the wanted part, or the proven one. */
export interface Chosen<V = unknown> extends Part<V> {
  /** Its name. */
  readonly part: string;
  readonly text: string;
}

export function chosen<V>(part: string, { value, revision, digest }: Part<V>): Chosen<V> {
  return { part, value, revision, digest, text: JSON.stringify(value) };
}
