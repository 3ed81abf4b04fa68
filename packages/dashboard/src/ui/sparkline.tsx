import classes from './bar-chart.module.css';
import type { Tone } from './bar-chart.tsx';
import { barsOf } from './bars.ts';

interface SparklineProps {
  /** Said in place of the drawing. */
  readonly label: string;
  readonly tones: readonly Tone[];
  /** Counts in the order of the tones, step by step. */
  readonly steps: readonly { readonly at: string; readonly counts: readonly number[] }[];
}

const SIZE = { width: 112, height: 24 };

/** A trend in the size of a line of text. */
export function Sparkline({ label, tones, steps }: SparklineProps) {
  const { bars } = barsOf(steps, SIZE);
  return (
    <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} className={classes.small} role="img" aria-label={label}>
      <line x1={0} x2={SIZE.width} y1={SIZE.height - 0.5} y2={SIZE.height - 0.5} className={classes.ground} />
      {bars.map(({ x, y, width, height, step, series }) => (
        <rect
          key={`${step} ${series}`}
          {...{ x, y, width, height }}
          className={classes.bar}
          data-tone={tones[series]}
        />
      ))}
    </svg>
  );
}
