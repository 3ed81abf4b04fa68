/** What the documents of coordinator and panel both list, each from its own table. */
import { ERROR_CODES, type ErrorCode } from '../error-table.ts';
import type { HttpOperation } from '../operation.ts';
import { exampleProblem } from './example-problem.ts';

type Table<Id extends string> = Readonly<Record<Id, HttpOperation>>;

/** Every path with its methods, each as `describe` says. */
export function pathsOf<Id extends string>(table: Table<Id>, describe: (id: Id) => object): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const id of Object.keys(table) as Id[]) {
    const { path, method } = table[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(id) };
  }
  return paths;
}

/** Only those that some operation answers with: the rest belong to no path that is listed. */
export function exampleProblems(answered: Iterable<ErrorCode>): object {
  const codes = new Set(answered);
  return Object.fromEntries(
    ERROR_CODES.filter((code) => codes.has(code)).map((code) => [code, { value: exampleProblem(code) }]),
  );
}
