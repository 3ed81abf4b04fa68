/** The coordinator moves one rule at a time, so a new order is a number of moves. This says which could come next. */
export interface Move {
  readonly id: string;
  /** The rule that it shall stand before. Null: it shall stand last. */
  readonly before: string | null;
}

/**
 * As few as possible: the longest run of rules that stand in the right order already stays. Each of the moves can be the
 * next, because each is right by itself; the caller can take another first where one is refused on the way.
 * Empty: the order is as it should be.
 */
export function nextMoves(current: readonly string[], wanted: readonly string[]): readonly Move[] {
  const place = new Map(wanted.map((id, index) => [id, index]));
  const staying = new Set(
    longestRising(
      current.filter((id) => place.has(id)),
      (id) => place.get(id) ?? 0,
    ),
  );
  return wanted.flatMap((id, index) => {
    if (staying.has(id)) return [];
    const before = wanted.slice(index + 1).find((other) => staying.has(other)) ?? null;
    return [{ id, before }];
  });
}

export function moved(order: readonly string[], { id, before }: Move): readonly string[] {
  const rest = order.filter((other) => other !== id);
  const place = before === null ? rest.length : rest.indexOf(before);
  return rest.toSpliced(place < 0 ? rest.length : place, 0, id);
}

function longestRising<T>(items: readonly T[], placeOf: (item: T) => number): readonly T[] {
  const lengths: number[] = [];
  const previous: number[] = [];
  let best = -1;
  for (const [index, item] of items.entries()) {
    let [length, from] = [1, -1];
    for (let other = 0; other < index; other++) {
      const longer = (lengths[other] ?? 0) + 1;
      if (longer > length && placeOf(items[other] as T) < placeOf(item)) [length, from] = [longer, other];
    }
    lengths.push(length);
    previous.push(from);
    if (best < 0 || length > (lengths[best] ?? 0)) best = index;
  }
  const run: T[] = [];
  for (let at = best; at >= 0; at = previous[at] ?? -1) run.unshift(items[at] as T);
  return run;
}
