import type { Operation } from './operation.ts';
import type { TObject } from './type.ts';
import type { Vocabulary } from './vocabulary-type.ts';

/** An event of the stream: named in the past tense, and written in the same commit as the change. */
interface EventRow {
  readonly summary: string;
  readonly data: TObject;
}

/**
 * A part of the mesh as people know it, such as relays: everything of it that crosses a wire. `areas/areas.ts` lists them
 * all; operations, events, permissions and kinds of ids derive from that list.
 */
export interface Area extends Vocabulary {
  /** What the ids of its operations begin with. */
  readonly name: string;
  /** For reference pages, which show those with operations. */
  readonly title?: string;
  readonly description?: string;
  /** True: its records belong to a boundary. A write to anything else affects every boundary, and its reach is `mesh`. */
  readonly bounded?: true;
  readonly operations?: Readonly<Record<`${string}.${string}`, Operation>>;
  readonly events?: Readonly<Record<`${string}.${string}`, EventRow>>;
}

export function defineArea<const A extends Area>(area: A): A {
  return area;
}

type TablesOf<List extends readonly Area[], Member extends string> = List[number] extends infer A
  ? A extends { readonly [M in Member]: infer Table }
    ? Table
    : never
  : never;
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The tables of one kind, of all areas, in one: what `mergedTables` makes. */
type MergedTables<List extends readonly Area[], Member extends 'operations' | 'events'> = Readonly<
  Intersection<TablesOf<List, Member>>
>;

export function mergedTables<const List extends readonly Area[], Member extends 'operations' | 'events'>(
  areas: List,
  member: Member,
): MergedTables<List, Member> {
  return Object.assign({}, ...areas.map((area) => area[member] ?? {}));
}
