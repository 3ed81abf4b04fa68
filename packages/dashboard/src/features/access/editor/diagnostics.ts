/** Where in the text something is wrong, as marks for the editor. */
import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { FailedTest, FieldError, Validation } from '@meshwork/contract';
import { createScanner } from 'jsonc-parser';
import { nodeAt } from '../text/tree.ts';

export interface PolicyFault {
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly detail: string;
  /** A test that does not hold, and no fault of the text. */
  readonly is_test: boolean;
}

export function faultsOf(doc: Text, { problems, failed_tests }: Validation): readonly PolicyFault[] {
  const text = doc.toString();
  return [...problems.map((one) => textFault(doc, text, one)), ...testFaults(doc, text, failed_tests)];
}

function textFault(doc: Text, text: string, { line = 1, column = 1, detail }: FieldError): PolicyFault {
  const at = positionOf(doc, line, column);
  const to = Math.min(Math.max(endOfToken(text, at), at + 1), doc.length);
  return { from: at, to, line, column, detail, is_test: false };
}

/** What is validated may be a little older than what is there now, and shorter. */
export function positionOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(Math.max(1, line));
  return Math.min(from + column - 1, to);
}

/** A name or a value without quotes. The scanner makes several tokens of one such as 10.0.0.0/8. */
const WORD = /[^\s{}[\],:"/][^\s{}[\],:"]*/y;

function endOfToken(text: string, at: number): number {
  WORD.lastIndex = at;
  if (WORD.test(text)) return WORD.lastIndex;
  const scanner = createScanner(text);
  scanner.setPosition(at);
  scanner.scan();
  return scanner.getPosition();
}

function testFaults(doc: Text, text: string, failed: readonly FailedTest[]): readonly PolicyFault[] {
  if (failed.length === 0) return [];
  const tests = nodeAt(text, ['tests']);
  return failed.map(({ test, from, to, expected, detail }) => {
    const node = tests?.type === 'array' ? tests.children?.[test] : undefined;
    const start = Math.min(node?.offset ?? 0, doc.length);
    const line = doc.lineAt(start);
    const demand = expected === 'allow' ? 'must reach' : 'must not reach';
    return {
      from: start,
      to: Math.min(start + (node?.length ?? 0), doc.length),
      line: line.number,
      column: start - line.from + 1,
      detail: `Test ${test + 1}: ${from} ${demand} ${to}. ${detail}`,
      is_test: true,
    };
  });
}

export function diagnosticsOf(faults: readonly PolicyFault[]): readonly Diagnostic[] {
  return faults.map(({ from, to, detail, is_test }) => ({
    from,
    to,
    severity: 'error' as const,
    source: is_test ? 'test' : 'policy',
    message: detail,
  }));
}
