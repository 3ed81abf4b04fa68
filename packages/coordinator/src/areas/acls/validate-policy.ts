import { MeshError, type Validation } from '@meshwork/contract';
import type { PolicyTrials } from './policy-trials.ts';

export async function validatePolicy(trials: PolicyTrials, text: string, now_ms: number): Promise<Validation> {
  try {
    const trial = await trials.run(text, now_ms);
    if (!trial.ok) return { valid: false, problems: [...trial.problems], failed_tests: [] };
    return { valid: trial.failed_tests.length === 0, problems: [], failed_tests: [...trial.failed_tests] };
  } catch (error) {
    if (!(error instanceof MeshError) || error.code !== 'policy_invalid') throw error;
    return { valid: false, problems: [...(error.errors ?? [])], failed_tests: [] };
  }
}
