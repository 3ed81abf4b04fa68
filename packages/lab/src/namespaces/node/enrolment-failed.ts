import { LabError, type LabFault } from '../lab-error.ts';
import type { ProgramFailed } from '../network/run.ts';

/** Exit codes of `mesh` whose cause the operator of the lab can remedy. */
const FAULTS: Readonly<Record<number, LabFault>> = { 2: 'usage', 3: 'not_permitted', 5: 'conflict' };

/** Why a node could not be enrolled, in the words of the program that tried, which ran with `--json`. */
export function enrolmentFailed(node: string, failure: ProgramFailed): LabError {
  const fault = FAULTS[failure.exit ?? 0] ?? 'failed';
  return new LabError(fault, `${node} could not be enrolled: ${detailOf(failure)}`, { cause: failure });
}

function detailOf({ stderr, message }: ProgramFailed): string {
  try {
    const { detail } = JSON.parse(stderr) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : message;
  } catch {
    return message; // it did not get as far as saying it in JSON
  }
}
