import { type FieldError, MeshError } from '@meshwork/contract';
import { checkRule, type FirewallRule } from '@meshwork/policy';

/** What no schema can say. `at`: where in the body the rule is. */
export function ruleFaults(rule: FirewallRule, at = ''): readonly FieldError[] {
  return checkRule(rule).map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail }));
}

/** Our number: enough to mend a list in one go, few enough that a hostile one costs little. */
export const MAX_FAULTS = 50;

export function ensureNone(faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  const errors = faults.slice(0, MAX_FAULTS);
  const detail = errors.map(({ pointer, detail: text }) => `${pointer}: ${text}`).join(' ');
  throw new MeshError('invalid', detail, { errors });
}
