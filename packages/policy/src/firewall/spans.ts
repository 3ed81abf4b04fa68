/** A set of whole numbers, be they ports or addresses: spans in ascending order that neither overlap nor touch. */
export type Spans = readonly Span[];

export interface Span {
  readonly first: bigint;
  readonly last: bigint;
}

export function mergeSpans(spans: Iterable<Span>): Spans {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const previous = merged.at(-1);
    if (previous === undefined || span.first > previous.last + 1n) merged.push(span);
    else if (span.last > previous.last) merged[merged.length - 1] = { first: previous.first, last: span.last };
  }
  return merged;
}

/** Walks both once, side by side: lists may be long, and are compared often. */
export function includesSpans(outer: Spans, inner: Spans): boolean {
  let at = 0;
  return inner.every(({ first, last }) => {
    while ((outer[at]?.last ?? first) < first) at++;
    const span = outer[at];
    return span !== undefined && span.first <= first && last <= span.last;
  });
}

export function spansOverlap(a: Spans, b: Spans): boolean {
  let at = 0;
  return a.some(({ first, last }) => {
    while ((b[at]?.last ?? first) < first) at++;
    const span = b[at];
    return span !== undefined && span.first <= last;
  });
}

export function subtractSpans(from: Spans, taken: Spans): Spans {
  return taken.reduce<Spans>((rest, { first, last }) => rest.flatMap((span) => without(span, first, last)), from);
}

function without(span: Span, first: bigint, last: bigint): Spans {
  if (last < span.first || first > span.last) return [span];
  const before = first > span.first ? [{ first: span.first, last: first - 1n }] : [];
  const after = last < span.last ? [{ first: last + 1n, last: span.last }] : [];
  return [...before, ...after];
}
