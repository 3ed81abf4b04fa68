import { Tooltip } from '@mantine/core';
import type { Ingress, IngressRates } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Sparkline } from '../../ui/sparkline.tsx';
import classes from './ingress.module.css';
import { rateText, shareText } from './rate-words.ts';

interface IngressRateProps {
  readonly ingress: Ingress;
  /** Undefined: not read yet, or not to be had. */
  readonly rates: IngressRates | undefined;
}

/** How much comes to it, in a cell of the list. */
export function IngressRate({ ingress: { kind, counted }, rates }: IngressRateProps) {
  if (kind !== 'http' || !counted) return <span className={classes.dimmed}>Not counted</span>;
  if (rates === undefined) return <span className={classes.dimmed}>Not known</span>;
  const { requests, errors, per_s, points, step_s, problem } = rates;
  const share = shareText(errors, requests);
  const rate = requests === 0 && problem !== null ? 'None known' : rateText(per_s);
  const words = `${rate}${share === null ? '' : `, ${share} errors`}`;
  const minutes = (points.length * step_s) / 60;
  return (
    <>
      <Sparkline
        label={`${words} in the last ${minutes} minutes`}
        tones={['bad', 'good']}
        steps={points.map((point, index) => ({
          at: String(index),
          counts: [point.errors, Math.max(0, point.requests - point.errors)],
        }))}
      />
      <span className={classes.below}>
        {words} {problem !== null && <Missing problem={problem} />}
      </span>
    </>
  );
}

function Missing({ problem }: { readonly problem: string }) {
  const text = `Some requests are missing. ${problem}`;
  return (
    <Tooltip label={text} multiline maw={320} withArrow events={{ hover: true, focus: true, touch: true }}>
      <button type="button" className={classes.hint} aria-label={text}>
        <IconAlertTriangle size={14} aria-hidden className={classes.warning} />
      </button>
    </Tooltip>
  );
}
