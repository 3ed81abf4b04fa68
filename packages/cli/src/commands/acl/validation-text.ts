import type { FailedTest, Validation } from '@meshwork/contract';
import { problemLines, type Source } from '../../source-problems.ts';
import { printable } from '../../terminal-text.ts';
import { counted } from '../../wording.ts';
import { warningLines } from './policy-words.ts';

/** What is wrong with a policy, and which of its own tests do not hold. */
export function validationText(source: Source, { valid, problems, failed_tests, warnings }: Validation): string {
  if (valid) return [...warningLines(warnings), printable(`${source.name} is valid`)].join('\n');
  const found = [
    ...(problems.length === 0 ? [] : [counted(problems.length, 'problem')]),
    ...(failed_tests.length === 0 ? [] : [counted(failed_tests.length, 'failed test')]),
  ];
  const lines = [...problemLines(source, problems), ...failedTestLines(failed_tests)];
  return [...lines, printable(`${source.name} is not valid: ${found.join(', ')}`)].join('\n');
}

export function failedTestLines(failed: readonly FailedTest[]): string[] {
  return failed.map(({ test, from, to, expected, detail }) => {
    const demand = `${from} ${expected === 'allow' ? 'must' : 'must not'} reach ${to}`;
    return printable(`tests[${test}]  ${demand}. ${detail}`);
  });
}
