/** How each engine marks the n-th parameter of a statement: `?1` in SQLite, `$1` in PostgreSQL. */
export type ParameterSign = '?' | '$';

export interface Sql {
  readonly text: string;
  readonly values: readonly (string | number)[];
}

/** The conditions of a statement, with their parameters in order. */
export class SqlConditions {
  readonly values: (string | number)[] = [];
  readonly #sign: ParameterSign;
  readonly #conditions: string[] = [];

  constructor(sign: ParameterSign) {
    this.#sign = sign;
  }

  get text(): string {
    return this.#conditions.join(' AND ');
  }

  /** Several values are compared as one row. */
  add(comparison: string, ...values: readonly (string | number | undefined)[]): void {
    const given = values.filter((value) => value !== undefined);
    if (given.length === 0) return;
    const parameters = given.map((value) => this.parameter(value)).join(', ');
    this.#conditions.push(`${comparison} ${given.length === 1 ? parameters : `(${parameters})`}`);
  }

  /** A condition without a parameter, or with parameters of the caller's. */
  addText(condition: string): void {
    this.#conditions.push(condition);
  }

  parameter(value: string | number): string {
    this.values.push(value);
    return `${this.#sign}${this.values.length}`;
  }
}
