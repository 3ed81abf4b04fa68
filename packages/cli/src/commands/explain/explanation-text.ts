import type { Explanation, ExplanationStep } from '@meshwork/contract';
import type { Tint } from '../../output.ts';
import { hanging, padEnd } from '../../terminal-text.ts';

const WIDTH = 80;
const TINT_OF_VERDICT = { allowed: 'good', denied: 'bad', unknown: 'doubtful' } as const;
const MARKS = { pass: ['✓', 'good'], fail: ['✗', 'bad'], unknown: ['?', 'doubtful'] } as const;

/** The verdict, every step to it, and what would change it. */
export function explanationText(
  { verdict, reason, steps, fix }: Explanation,
  tinted: (tint: Tint, text: string) => string,
): string {
  const word = verdict.toUpperCase();
  const head = hanging(`${word}  `, reason, WIDTH).map((line) =>
    line.replace(word, tinted(TINT_OF_VERDICT[verdict], word)),
  );
  const widest = Math.max(0, ...steps.map(({ check }) => check.length));
  const walk = steps.flatMap((step) => stepLines(step, widest, tinted));
  const fixes = fix.flatMap((text) => hanging('  - ', text, WIDTH));
  return [head, walk, fixes.length === 0 ? [] : ['Fix:', ...fixes]]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

function stepLines(
  { check, outcome, detail }: ExplanationStep,
  widest: number,
  tinted: (tint: Tint, text: string) => string,
): string[] {
  const [mark, tint] = MARKS[outcome];
  const [first = '', ...rest] = hanging(`  ${mark} ${padEnd(check, widest)}  `, detail, WIDTH);
  return [first.replace(mark, tinted(tint, mark)), ...rest];
}
