/** Counts over time as stacked bars, drawn as SVG. What it shows stands in a table too, for those who do not see it. */
import { Text } from '@mantine/core';
import { useId } from 'react';
import classes from './bar-chart.module.css';
import { barsOf } from './bars.ts';

export type Tone = 'good' | 'bad' | 'watch' | 'off';

interface Series {
  readonly id: string;
  readonly label: string;
  readonly tone: Tone;
}

interface Step {
  readonly at: string;
  /** In the order of the series. */
  readonly counts: readonly number[];
}

interface BarChartProps {
  /** What is counted. */
  readonly label: string;
  readonly series: readonly Series[];
  readonly steps: readonly Step[];
  /** How long a step is: what the axis and the table say of times depends on it. */
  readonly step_s: number;
}

const WIDTH = 960;
const HEIGHT = 160;
const DAY_S = 24 * 3600;

export function BarChart({ label, series, steps, step_s }: BarChartProps) {
  const id = useId();
  const { bars, most } = barsOf(steps, { width: WIDTH, height: HEIGHT });
  const words = wordsOf(step_s);
  const [first, last] = [steps.at(0), steps.at(-1)];
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id} className={classes.caption}>
        <span>{label}</span>
        {most > 0 && <span>at most {most.toLocaleString()} in a step</span>}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={classes.drawing} aria-hidden>
        <line x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} className={classes.ground} />
        {bars.map(({ x, y, width, height, series: index, step }) => (
          <rect
            key={`${step} ${index}`}
            {...{ x, y, width, height }}
            className={classes.bar}
            data-tone={series[index]?.tone}
          >
            <title>{stepWords(series, steps[step], words)}</title>
          </rect>
        ))}
      </svg>
      {first !== undefined && last !== undefined && (
        <div className={classes.axis} aria-hidden>
          <span>{words.format(new Date(first.at))}</span>
          <span>{words.format(new Date(last.at))}</span>
        </div>
      )}
      <div className={classes.legend} aria-hidden>
        {series.map(({ id: key, label: word, tone }) => (
          <span key={key} className={classes.entry}>
            <span className={classes.swatch} data-tone={tone} />
            {word}
          </span>
        ))}
      </div>
      <ChartTable label={label} series={series} steps={steps} words={words} />
    </figure>
  );
}

interface ChartTableProps extends Pick<BarChartProps, 'label' | 'series' | 'steps'> {
  readonly words: Intl.DateTimeFormat;
}

/** Steps in which something happened: the others are all alike. */
function ChartTable({ label, series, steps, words }: ChartTableProps) {
  const shown = steps.filter(({ counts }) => counts.some((count) => count > 0));
  return (
    <details className={classes.details}>
      <summary>As a table</summary>
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing in this time.
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to be reached by the keyboard
        <section className={classes.scroller} tabIndex={0} aria-label={`${label}, as a table`}>
          <table className={classes.table} aria-label={label}>
            <thead>
              <tr>
                <th scope="col">From</th>
                {series.map(({ id, label: word }) => (
                  <th key={id} scope="col">
                    {word}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ at, counts }) => (
                <tr key={at}>
                  <th scope="row">{words.format(new Date(at))}</th>
                  {series.map(({ id }, index) => (
                    <td key={id}>{(counts[index] ?? 0).toLocaleString()}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

function wordsOf(step_s: number): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(
    undefined,
    step_s >= DAY_S ? { dateStyle: 'medium' } : { dateStyle: 'short', timeStyle: 'short' },
  );
}

function stepWords(series: readonly Series[], step: Step | undefined, words: Intl.DateTimeFormat): string {
  if (step === undefined) return '';
  const counts = series.map(({ label }, index) => `${label} ${(step.counts[index] ?? 0).toLocaleString()}`);
  return `${words.format(new Date(step.at))}: ${counts.join(', ')}`;
}
