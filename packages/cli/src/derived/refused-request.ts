import { ApiError } from '@meshwork/client';
import type { FieldError } from '@meshwork/contract';
import { helpFrom } from './help-text.ts';
import type { Parameter } from './parameters.ts';

/** A service refused what the command line asked for: its errors are about flags and arguments. */
export class RefusedRequest extends Error {
  readonly refusal: ApiError;
  readonly #parameters: readonly Parameter[];

  private constructor(refusal: ApiError, parameters: readonly Parameter[]) {
    super(refusal.message, { cause: refusal });
    this.name = 'RefusedRequest';
    this.refusal = refusal;
    this.#parameters = parameters;
  }

  /** What is no refusal of a service stays as it is. */
  static from(error: unknown, parameters: readonly Parameter[]): unknown {
    return error instanceof ApiError ? new RefusedRequest(error, parameters) : error;
  }

  /** `/scope/team` → `--team`, `query/q` → `--query`, `/name` → `<name>`. What has no flag keeps its last name. */
  wordFor(pointer: string): string {
    const found = this.#parameterAt(pointer);
    if (found !== undefined) return found.argument ? `<${found.name}>` : `--${found.name}`;
    const names = pointer.split('/').slice(1);
    return (names.findLast((part) => !/^\d+$/.test(part)) ?? 'the request').replaceAll('_', ' ');
  }

  /** A pattern is for programs; people are told what it stands for. */
  detailFor({ pointer, detail }: FieldError): string {
    const description = this.#parameterAt(pointer)?.schema.description;
    if (!detail.startsWith('must match ^') || description === undefined) return detail;
    return `is not valid: ${helpFrom(description)}`;
  }

  #parameterAt(pointer: string): Parameter | undefined {
    const [place = '', ...path] = pointer.split('/');
    return this.#parameters.find(
      (one) => (place === 'query') === (one.place === 'query') && one.path.every((name, index) => path[index] === name),
    );
  }
}
