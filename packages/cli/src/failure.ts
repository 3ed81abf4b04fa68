import type { ApiError } from '@meshwork/client';
import type { FieldError } from '@meshwork/contract';
import type { Exit } from './exit-codes.ts';

interface FailureFacts {
  readonly exit: Exit;
  /** For programs that read `--json`. */
  readonly code: string;
  readonly errors?: readonly FieldError[];
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Something went wrong here, before or after a coordinator was asked. Its message is for people. */
export class Failure extends Error {
  readonly exit: Exit;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly hint: string | undefined;

  constructor(message: string, facts: FailureFacts) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.name = 'Failure';
    this.exit = facts.exit;
    this.code = facts.code;
    this.errors = facts.errors ?? [];
    this.hint = facts.hint;
  }
}

/** A service refused a request, said in the words of the command line: `errors` point at flags and arguments. */
export class PlainRefusal extends Error {
  readonly refusal: ApiError;
  readonly errors: readonly FieldError[];

  constructor(refusal: ApiError, message: string, errors: readonly FieldError[]) {
    super(message, { cause: refusal });
    this.name = 'PlainRefusal';
    this.refusal = refusal;
    this.errors = errors;
  }
}

/** The reason in words, without the code and the system call that Node puts around it. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'that is not permitted',
    EPERM: 'that is not permitted',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is not a folder',
    EEXIST: 'it already exists',
    ENOSPC: 'the disk is full',
    EROFS: 'the file system is read-only',
  };
  return (code === undefined ? undefined : known[code]) ?? message;
}
