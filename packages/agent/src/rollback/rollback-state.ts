/** What is known of the guarded parts: as they are wanted, chosen, proven and refused. */
import { digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import type { Chosen, GuardedPart, Part } from './guarded-part.ts';

/** By name. */
type ProvenParts = Readonly<Record<string, Part>>;

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

/** Of a node before its first configuration: the heartbeat that brings it is answered without any. */
export function nothingProven(parts: readonly GuardedPart[]): ProvenParts {
  return Object.fromEntries(
    parts.map(({ name, none }) => [name, { value: none, revision: 0, digest: digestText(EMPTY_DIGEST) }]),
  );
}

export function chosen<V>(part: string, { value, revision, digest }: Part<V>): Chosen<V> {
  return { part, value, revision, digest, text: JSON.stringify(value) };
}
