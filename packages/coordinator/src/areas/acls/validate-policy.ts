import { MeshError, type Validation } from '@meshwork/contract';
import { said } from './policy-record.ts';
import type { PolicyTrials } from './policy-trials.ts';

export async function validatePolicy(trials: PolicyTrials, text: string, now_ms: number): Promise<Validation> {
  try {
    const trial = await trials.run(text, now_ms);
    if (!trial.ok) return { valid: false, problems: [...trial.problems], failed_tests: [] };
    const valid = trial.failed_tests.length === 0;
    return { valid, problems: [], failed_tests: [...trial.failed_tests], ...said(trial.warnings) };
  } catch (error) {
    if (!(error instanceof MeshError) || error.code !== 'policy_invalid') throw error;
    return { valid: false, problems: [...(error.errors ?? [])], failed_tests: [] };
  }
}
