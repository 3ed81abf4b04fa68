import { EVENT_TYPES, invalid } from '@meshwork/contract';

const NEAREST = 3;

/**
 * Which types a caller requested: names, or all of one kind such as `node.*`. Absent: every one. A kind includes types
 * that only a newer coordinator on the same store knows.
 */
export function typeFilter(text: string | undefined): (type: string) => boolean {
  if (text === undefined) return () => true;
  const filters = text.split(',').map(filterOf);
  return (type) => filters.some((isWanted) => isWanted(type));
}

function filterOf(name: string): (type: string) => boolean {
  if (name === '*') return () => true;
  const isWanted = name.endsWith('.*')
    ? (type: string) => type.startsWith(name.slice(0, -1))
    : (type: string) => type === name;
  if (!EVENT_TYPES.some(isWanted)) throw unknownType(name);
  return isWanted;
}

function unknownType(name: string) {
  const kinds = [...new Set(EVENT_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))];
  const near = [...EVENT_TYPES, ...kinds]
    .map((known) => ({ known, distance: distanceBetween(name, known) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST)
    .map(({ known }) => known);
  return invalid('query/type', `has "${name}", which is no type of event; the nearest are ${near.join(', ')}`);
}

/** How many letters must be put in, taken out or replaced to make one of the other. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
