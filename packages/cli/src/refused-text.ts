import { ApiError } from '@meshwork/client';
import type { ErrorCode } from '@meshwork/contract';
import type { Source } from './source-problems.ts';

/** A coordinator refused a text that a person wrote: its errors have places in it. */
export class RefusedText extends Error {
  readonly refusal: ApiError;
  readonly source: Source;

  constructor(refusal: ApiError, source: Source) {
    super(refusal.message, { cause: refusal });
    this.name = 'RefusedText';
    this.refusal = refusal;
    this.source = source;
  }
}

/** Other refusals are about the request around it. */
const ABOUT_THE_TEXT: readonly string[] = ['policy_invalid', 'policy_tests_failed'] satisfies ErrorCode[];

/** Sends a text somewhere, so that a refusal can show the lines it is about. */
export async function sendingText<T>(source: Source, send: (text: string) => Promise<T>): Promise<T> {
  try {
    return await send(source.text);
  } catch (error) {
    throw error instanceof ApiError && ABOUT_THE_TEXT.includes(error.code) ? new RefusedText(error, source) : error;
  }
}
