/** What is known of the parts: as they are wanted, chosen, proven and refused. */
import { digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import { type HostParts, NO_PARTS, PART_NAMES, type PartName } from './host-parts.ts';

/** One part as it is wanted, in effect or proven, with the state of the section that brought it. */
export interface Part<P extends PartName = PartName> {
  readonly value: HostParts[P];
  readonly revision: number;
  readonly digest: string;
}

export type ProvenParts = { readonly [P in PartName]: Part<P> };

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
  readonly refused: Readonly<Partial<Record<PartName, Refusal>>>;
}

/** Of a node that is told something for the first time: the heartbeat that brought it was answered under nothing at all. */
export const NOTHING_PROVEN = Object.fromEntries(
  PART_NAMES.map((part) => [part, { value: NO_PARTS[part], revision: 0, digest: digestText(EMPTY_DIGEST) }]),
) as unknown as ProvenParts;

/** What is to be put into effect: the wanted part, or the proven one. */
export interface Chosen<P extends PartName = PartName> extends Part<P> {
  readonly part: P;
  readonly text: string;
}

export function chosen<P extends PartName>(part: P, { value, revision, digest }: Part<P>): Chosen<P> {
  return { part, value, revision, digest, text: JSON.stringify(value) };
}
