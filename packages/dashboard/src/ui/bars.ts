/** Where the bars of a chart stand. Steps are beside each other, and the series of a step on top of each other. */

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly series: number;
}

interface Steps {
  readonly counts: readonly number[];
}

const GAP = 0.15;
/** One event among thousands is still to be seen. */
const LEAST = 2;

export function barsOf(
  steps: readonly Steps[],
  { width, height }: { readonly width: number; readonly height: number },
): { readonly bars: readonly Bar[]; readonly most: number } {
  const most = Math.max(0, ...steps.map(({ counts }) => sum(counts)));
  const each = width / Math.max(1, steps.length);
  const bars = steps.flatMap(({ counts }, step) => {
    let below = 0;
    return counts.flatMap((count, series): Bar[] => {
      if (count === 0) return [];
      const tall = Math.max(LEAST, (count / most) * height);
      below += tall;
      const y = Math.max(0, height - below);
      return [{ x: step * each + (each * GAP) / 2, y, width: each * (1 - GAP), height: tall, step, series }];
    });
  });
  return { bars, most };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
