import type { Explanation, ExplanationStep } from '@meshwork/contract';
import type { Tint } from '../../output.ts';
import { hanging, padEnd } from '../../terminal-text.ts';

export type Tinted = (tint: Tint, text: string) => string;

export const WIDTH = 80;
const TINT_OF_WORD = {
  allowed: 'good',
  denied: 'bad',
  unknown: 'doubtful',
  passed: 'good',
  blocked: 'bad',
} as const;
type Word = keyof typeof TINT_OF_WORD;
const MARKS = { pass: ['✓', 'good'], fail: ['✗', 'bad'], unknown: ['?', 'doubtful'], note: ['!', 'doubtful'] } as const;

/** The verdict, every step to it, and what would change it. */
export function explanationText(explanation: Explanation, tinted: Tinted): string {
  const { verdict, reason } = explanation;
  return paragraphs([headline('', verdict, reason, tinted), ...explanationParts(explanation, tinted)]);
}

/** A word that says how it is, and the sentence that goes with it. `width`: of the longest word among several such lines. */
export function headline(before: string, word: Word, reason: string, tinted: Tinted, width = word.length): string[] {
  const shown = word.toUpperCase();
  const [first = '', ...rest] = hanging(`${before}${padEnd(shown, width)}  `, reason, WIDTH);
  return [first.replace(shown, tinted(TINT_OF_WORD[word], shown)), ...rest];
}

/** Everything but the verdict. */
export function explanationParts(explanation: Explanation, tinted: Tinted): string[][] {
  const { steps, fix, families = [], conditions = [] } = explanation; // absent: an older coordinator
  const widest = Math.max(0, ...steps.map(({ check }) => check.length));
  const limits = conditions.flatMap(({ detail }) => hanging('  - ', detail, WIDTH));
  const fixes = fix.flatMap(fixLines);
  return [
    familyLines(families, tinted),
    steps.flatMap((step) => stepLines(step, widest, tinted)),
    limits.length === 0 ? [] : ['Limits:', ...limits],
    fixes.length === 0 ? [] : ['Fix:', ...fixes],
  ];
}

export function paragraphs(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

/** Only where the families differ: otherwise the verdict is that of both. */
function familyLines(families: Explanation['families'], tinted: Tinted): string[] {
  if (new Set(families.map(({ verdict }) => verdict)).size < 2) return [];
  const width = Math.max(...families.map(({ verdict }) => verdict.length));
  return families.flatMap(({ family, address, verdict, reason }) =>
    headline(`  IPv${family}  `, verdict, `${reason} (${address})`, tinted, width),
  );
}

/** A fix that takes several steps has a line for each. */
function fixLines(text: string): string[] {
  return text.split('\n').flatMap((line, place) => hanging(place === 0 ? '  - ' : '    ', line, WIDTH));
}

function stepLines({ check, outcome, detail }: ExplanationStep, widest: number, tinted: Tinted): string[] {
  const [mark, tint] = MARKS[outcome];
  const [first = '', ...rest] = hanging(`  ${mark} ${padEnd(check, widest)}  `, detail, WIDTH);
  return [first.replace(mark, tinted(tint, mark)), ...rest];
}
