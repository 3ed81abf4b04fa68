/** Two people changed the same text. What they changed in different places fits together; this puts it together, line by line. */
import { diffLines } from '@meshwork/client/line-diff';

interface Merged {
  readonly text: string;
  /** Places where both changed the same lines: mine are there, for a person to review. */
  readonly conflicts: number;
}

/** Lines of the text that both began from, and what one of them put in their place. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

export function mergeTexts(base: string, theirs: string, mine: string): Merged {
  const lines = base.split('\n');
  const [ours, others] = [hunksOf(base, mine), hunksOf(base, theirs)];
  const merged: string[] = [];
  let [at, conflicts] = [0, 0];
  for (const region of regionsOf(ours, others)) {
    const { own, other } = region;
    const written = (hunks: readonly Hunk[]) => applied(lines, hunks, region);
    merged.push(...lines.slice(at, region.from));
    if (own.length === 0 || other.length === 0) merged.push(...written([...own, ...other]));
    else if (written(own).join('\n') === written(other).join('\n')) merged.push(...written(own));
    else {
      conflicts += 1;
      // Both only added something at one place: nothing is lost if both stay.
      const isAddition = region.from === region.to;
      merged.push(...(isAddition ? written(other) : []), ...written(own));
    }
    at = region.to;
  }
  merged.push(...lines.slice(at));
  return { text: merged.join('\n'), conflicts };
}

function hunksOf(before: string, after: string): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let open: { from: number; to: number; lines: string[] } | undefined;
  let next = 0;
  for (const line of diffLines(before.split('\n'), after.split('\n'))) {
    if (line.kind === 'same') {
      if (open !== undefined) hunks.push(open);
      open = undefined;
    } else {
      open ??= { from: next, to: next, lines: [] };
      if (line.kind === 'removed') open.to = next + 1;
      else open.lines.push(line.text);
    }
    if (line.before !== null) next = line.before;
  }
  return open === undefined ? hunks : [...hunks, open];
}

/** A place that was changed, by one of them or by both. */
interface Region {
  from: number;
  to: number;
  readonly own: Hunk[];
  readonly other: Hunk[];
}

/** In order. What overlaps is one place. */
function regionsOf(own: readonly Hunk[], other: readonly Hunk[]): readonly Region[] {
  const all = [...own.map((hunk) => ({ hunk, isOwn: true })), ...other.map((hunk) => ({ hunk, isOwn: false }))];
  const regions: Region[] = [];
  for (const { hunk, isOwn } of all.sort((a, b) => a.hunk.from - b.hunk.from || a.hunk.to - b.hunk.to)) {
    let region = regions.at(-1);
    if (region === undefined || (hunk.from >= region.to && hunk.from !== region.from)) {
      region = { from: hunk.from, to: hunk.to, own: [], other: [] };
      regions.push(region);
    }
    region.to = Math.max(region.to, hunk.to);
    (isOwn ? region.own : region.other).push(hunk);
  }
  return regions;
}

function applied(lines: readonly string[], hunks: readonly Hunk[], region: Region): readonly string[] {
  const written: string[] = [];
  let at = region.from;
  for (const hunk of hunks.toSorted((a, b) => a.from - b.from)) {
    written.push(...lines.slice(at, hunk.from), ...hunk.lines);
    at = hunk.to;
  }
  return [...written, ...lines.slice(at, region.to)];
}
