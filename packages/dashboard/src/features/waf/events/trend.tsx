import { Text } from '@mantine/core';
import type { WafSummary } from '@meshwork/contract';
import { BarChart } from '../../../ui/bar-chart.tsx';
import { WafVerdict } from '../../../ui/state.tsx';
import classes from '../waf.module.css';
import { leftOutWords } from '../waf-words.ts';

const VERDICTS = ['blocked', 'detected', 'scored'] as const;
const SERIES = [
  { id: 'blocked', label: 'Blocked', tone: 'bad' },
  { id: 'detected', label: 'Detected', tone: 'watch' },
  { id: 'scored', label: 'Scored', tone: 'off' },
] as const;

/** How much was found, in all and over time. */
export function Trend({ summary }: { readonly summary: WafSummary }) {
  const { steps, step_s, left_out, whole } = summary;
  const leftOut = leftOutWords(left_out);
  return (
    <>
      <div className={classes.totals}>
        {VERDICTS.map((verdict) => (
          <div key={verdict} className={classes.total}>
            <WafVerdict verdict={verdict} />
            <span className={classes.number}>{summary[verdict].toLocaleString()}</span>
          </div>
        ))}
      </div>
      {leftOut !== null && (
        <Text size="sm" c="dimmed">
          {leftOut}
        </Text>
      )}
      {!whole && (
        <Text size="sm" c="dimmed">
          There are too many events to count all of them: only the newest are. Choose a shorter time.
        </Text>
      )}
      <BarChart
        label="Requests over time"
        series={SERIES}
        steps={steps.map((step) => ({ at: step.at, counts: VERDICTS.map((verdict) => step[verdict]) }))}
        step_s={step_s}
      />
    </>
  );
}
