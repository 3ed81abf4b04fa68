import type pg from 'pg';
import { withFault } from './postgres-fault.ts';

/** A statement with its parameters. A name keeps it prepared on the connection. */
export interface Question {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

type Asked = pg.ClientBase | pg.Pool;

/** Runs a statement and returns its rows. They have the type the caller says; errors come as `StoreError`. */
export async function ask<Row extends object>(asked: Asked, question: Question | string): Promise<readonly Row[]> {
  const { values, ...statement } = typeof question === 'string' ? { text: question } : question;
  try {
    const result = await asked.query<Row>({ ...statement, ...(values && { values: [...values] }) });
    return result.rows;
  } catch (error) {
    throw withFault(error);
  }
}

/** For statements that always give one row. */
export async function askOne<Row extends object>(asked: Asked, question: Question | string): Promise<Row> {
  const [row] = await ask<Row>(asked, question);
  if (row === undefined) throw new Error(`no row: ${typeof question === 'string' ? question : question.text}`);
  return row;
}
