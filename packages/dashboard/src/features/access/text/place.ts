import { outlineOf, type Piece, type PlainPiece } from './outline.ts';

/** Where in a policy the cursor is. */
export interface Place {
  /** The way there: `['grants', 2, 'allow', 0]`. For a name it leads to the object that it is of. */
  readonly path: readonly (string | number)[];
  readonly is_name: boolean;
  /** What stands there so far. Absent: nothing yet. */
  readonly written?: PlainPiece;
}

/** Undefined: neither a name nor a value can stand there, or it stands outside of everything. */
export function placeAt(text: string, position: number): Place | undefined {
  const root = outlineOf(text);
  return root === undefined ? undefined : within(root, position, []);
}

function within(piece: Piece, position: number, path: readonly (string | number)[]): Place | undefined {
  switch (piece.kind) {
    case 'string':
    case 'word':
      return holds(piece, position) ? { path, is_name: false, written: piece } : undefined;
    case 'array': {
      if (!isInside(piece, position)) return undefined;
      const before = piece.items.findLastIndex(({ start }) => start < position);
      const item = piece.items[before];
      const found = item === undefined ? undefined : within(item, position, [...path, before]);
      if (found !== undefined) return found;
      return item !== undefined && position < item.end ? undefined : { path: [...path, before + 1], is_name: false };
    }
    case 'object': {
      if (!isInside(piece, position)) return undefined;
      const member = piece.members.findLast(({ key }) => key.start < position);
      if (member === undefined) return { path, is_name: true };
      if (holds(member.key, position)) return { path, is_name: true, written: member.key };
      if (member.value === undefined) return { path: [...path, member.key.text], is_name: false };
      if (position <= member.value.start) return undefined;
      const found = within(member.value, position, [...path, member.key.text]);
      return found ?? (position < member.value.end ? undefined : { path, is_name: true });
    }
  }
}

/** Between the quotes, not on them. */
function holds({ kind, start, end, is_open }: PlainPiece, position: number): boolean {
  return position > start && (kind === 'string' && !is_open ? position < end : position <= end);
}

function isInside({ start, end, is_closed }: Extract<Piece, { is_closed: boolean }>, position: number): boolean {
  return position > start && (is_closed ? position < end : position <= end);
}
