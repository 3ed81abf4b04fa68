import type { Explanation, ExplanationStep } from '@meshwork/contract';
import type { Tint } from '../../output.ts';
import { hanging, padEnd } from '../../terminal-text.ts';

const WIDTH = 80;
const TINT_OF_VERDICT = { allowed: 'good', denied: 'bad', unknown: 'doubtful' } as const;
const MARKS = { pass: ['✓', 'good'], fail: ['✗', 'bad'], unknown: ['?', 'doubtful'] } as const;

/** The verdict, every step to it, and what would change it. */
export function explanationText(
  { verdict, reason, steps, fix, families, conditions }: Explanation,
  tinted: (tint: Tint, text: string) => string,
): string {
  const word = verdict.toUpperCase();
  const head = hanging(`${word}  `, reason, WIDTH).map((line) =>
    line.replace(word, tinted(TINT_OF_VERDICT[verdict], word)),
  );
  const widest = Math.max(0, ...steps.map(({ check }) => check.length));
  const walk = steps.flatMap((step) => stepLines(step, widest, tinted));
  const limits = conditions.flatMap(({ detail }) => hanging('  - ', detail, WIDTH));
  const fixes = fix.flatMap(fixLines);
  return [
    head,
    familyLines(families, tinted),
    walk,
    limits.length === 0 ? [] : ['Limits:', ...limits],
    fixes.length === 0 ? [] : ['Fix:', ...fixes],
  ]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

/** Only where the families differ: otherwise the verdict is that of both. */
function familyLines(families: Explanation['families'], tinted: (tint: Tint, text: string) => string): string[] {
  if (new Set(families.map(({ verdict }) => verdict)).size < 2) return [];
  return families.flatMap(({ family, address, verdict, reason }) => {
    const word = verdict.toUpperCase();
    const [first = '', ...rest] = hanging(`  IPv${family}  ${word}  `, `${reason} (${address})`, WIDTH);
    return [first.replace(word, tinted(TINT_OF_VERDICT[verdict], word)), ...rest];
  });
}

/** A fix that takes several steps has a line for each. */
function fixLines(text: string): string[] {
  return text.split('\n').flatMap((line, place) => hanging(place === 0 ? '  - ' : '    ', line, WIDTH));
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
