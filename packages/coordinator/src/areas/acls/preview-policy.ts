import { MAX_TOUCHED, type Preview } from '@meshwork/contract';
import { said } from './policy-record.ts';
import type { PolicyTrials } from './policy-trials.ts';
import { unreadable } from './refused-policy.ts';

/** What a policy would open and close, compared with the one in effect. */
export async function previewPolicy(trials: PolicyTrials, text: string, now_ms: number): Promise<Preview> {
  const trial = await trials.run(text, now_ms, 'compared');
  if (!trial.ok) throw unreadable(trial);
  const { opens, closes, touched } = trial.difference ?? { opens: [], closes: [], touched: [] };
  return {
    opened: [...opens],
    closed: [...closes],
    nodes_touched: touched.length,
    nodes: touched.slice(0, MAX_TOUCHED),
    failed_tests: [...trial.failed_tests],
    ...said(trial.warnings),
  };
}
