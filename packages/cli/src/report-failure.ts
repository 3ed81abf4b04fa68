import { ApiError, UnreachableError } from '@meshwork/client';
import type { FieldError } from '@meshwork/contract';
import { EXIT_CODES, type Exit, exitOfStatus } from './exit-codes.ts';
import { Failure, PlainRefusal } from './failure.ts';
import { hintFor, unreachableHint } from './hints.ts';
import { RefusedText } from './refused-text.ts';
import { Interrupted } from './signals.ts';
import { problemLines } from './source-problems.ts';
import { printable } from './terminal-text.ts';

interface Report {
  readonly exit: Exit;
  readonly message: string;
  /** What is wrong, one by one, in lines that are printable. */
  readonly details: readonly string[];
  readonly request_id: string | null;
  readonly hint: string | undefined;
  /** For `--json`: the problem document, or one like it when the failure is none of the API's. */
  readonly document: object;
}

/** Says what went wrong on standard error, and gives the exit code for it. */
export function reportFailure(error: unknown, form: { readonly json: boolean }): number {
  if (error instanceof Interrupted) return error.exit_code;
  const report = reportOf(error);
  process.stderr.write(form.json ? `${JSON.stringify(report.document)}\n` : textOf(report));
  return EXIT_CODES[report.exit].code;
}

function reportOf(error: unknown): Report {
  if (error instanceof RefusedText) {
    const { refusal, source } = error;
    // The first line is not to say what the places below it say anyway, and better.
    const message = `${source.name} was refused: ${titleOf(refusal)}`;
    return { ...reportOf(refusal), message, details: problemLines(source, refusal.errors) };
  }
  if (error instanceof PlainRefusal) {
    const { refusal, message, errors } = error;
    return { ...reportOf(refusal), message, details: detailLines(message, errors) };
  }
  if (error instanceof ApiError) {
    const { message, errors, request_id, code, status, retryable } = error;
    return {
      exit: exitOfStatus(status, retryable),
      message,
      details: detailLines(message, errors),
      request_id,
      hint: hintFor(code),
      document: error.problem ?? { ...localProblem(code, message, retryable), status },
    };
  }
  if (error instanceof UnreachableError) {
    const { message, reason } = error;
    const document = localProblem('unreachable', message, true);
    return { exit: 'temporary', message, details: [], request_id: null, hint: unreachableHint(reason), document };
  }
  if (error instanceof Failure) {
    const { exit, message, errors, hint, code } = error;
    const document = { ...localProblem(code, message, false), ...(errors.length === 0 ? {} : { errors }) };
    return { exit, message, details: detailLines(message, errors), request_id: null, hint, document };
  }
  // Ours: a bug, so its stack is what helps.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const document = localProblem('internal', message, false);
  return { exit: 'failed', message, details: [], request_id: null, hint: undefined, document };
}

function localProblem(code: string, detail: string, retryable: boolean) {
  return { type: 'about:blank', title: 'mesh could not do this', code, detail, retryable };
}

function titleOf({ problem, detail }: ApiError): string {
  const { title = detail } = problem ?? {};
  return title.charAt(0).toLowerCase() + title.slice(1);
}

function detailLines(message: string, errors: readonly FieldError[]): string[] {
  const list = errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  // A single error is often what the message says already, with a colon after the pointer or without.
  const said = [message, message.replace(': ', ' ')];
  if (list.length <= 1 && said.some((text) => text.startsWith(list[0] ?? ''))) return [];
  return list.map((text) => `  ${printable(text)}`);
}

function textOf({ message, details, request_id, hint }: Report): string {
  const [first = '', ...rest] = message.split('\n');
  const lines = [`mesh: ${printable(first)}`, ...rest.map(printable), ...details];
  if (request_id !== null) lines.push(`request id: ${printable(request_id)}`);
  if (hint !== undefined) lines.push(`try: ${hint}`);
  return `${lines.join('\n')}\n`;
}
