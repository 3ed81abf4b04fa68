import type { Validation } from '@meshwork/contract';
import { readPolicy } from '@meshwork/policy';
import type { Fleet } from '../../fleet/fleet.ts';
import type { View } from '../../mesh/model.ts';
import { problemsOf } from './read-text.ts';
import { failedTests, tryPolicy } from './try-policy.ts';

export function validatePolicy(view: View, fleet: Fleet, text: string, now_ms: number): Validation {
  const reading = readPolicy(text);
  if (!reading.ok) return { valid: false, problems: problemsOf(reading), failed_tests: [] };
  const failed_tests = failedTests(view, fleet, tryPolicy(view, fleet, reading.document, now_ms));
  return { valid: failed_tests.length === 0, problems: [], failed_tests };
}
