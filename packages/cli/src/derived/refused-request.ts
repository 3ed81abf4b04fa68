/**
 * Answers of an API are written for those who call it. People at a terminal know flags, arguments and commands: what a
 * service refuses is reported in those words.
 */
import { ApiError } from '@meshwork/client';
import type { FieldError } from '@meshwork/contract';
import { PlainRefusal } from '../failure.ts';
import { helpFrom } from './help-text.ts';
import { areaOfId, operationIds, operationOf, singular, verbOf } from './operations.ts';
import type { Parameter } from './parameters.ts';

/** What is no refusal of a service stays as it is. */
export function refusedRequest(error: unknown, parameters: readonly Parameter[]): unknown {
  if (!(error instanceof ApiError)) return error;
  const { message, errors } = error;
  const plain = errors.map((one) => ({
    pointer: wordFor(one.pointer, parameters),
    detail: inPlainWords(one.detail, errors, parameters),
  }));
  return new PlainRefusal(error, inPlainWords(message, errors, parameters), plain);
}

function inPlainWords(text: string, errors: readonly FieldError[], parameters: readonly Parameter[]): string {
  return errors
    .reduce((said, error) => said.replaceAll(error.detail, () => detailFor(error, parameters)), text)
    .replaceAll(
      /`?\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}-]+)`?/g,
      (same, method: string, path: string) => commandFor(method, path) ?? same,
    )
    .replaceAll(/(?<![\w/])(?:query)?(?:\/[\w.-]*\w)+/g, (pointer) =>
      isPointer(pointer, errors) ? wordFor(pointer, parameters) : pointer,
    )
    .replaceAll(/\bThe body\b/g, 'The request');
}

/** `/scope/team` → `--team`, `query/q` → `--query`, `/name` → `<name>`. What has no flag keeps its last name. */
function wordFor(pointer: string, parameters: readonly Parameter[]): string {
  const found = parameterAt(pointer, parameters);
  if (found !== undefined) return found.argument ? `<${found.name}>` : `--${found.name}`;
  const names = pointer.split('/').slice(1);
  return (names.findLast((part) => !/^\d+$/.test(part)) ?? 'the request').replaceAll('_', ' ');
}

/** A pattern is for programs; people read what it stands for. */
function detailFor({ pointer, detail }: FieldError, parameters: readonly Parameter[]): string {
  const description = parameterAt(pointer, parameters)?.schema.description;
  if (!detail.startsWith('must match ^') || description === undefined) return detail;
  return `is not valid: ${helpFrom(description)}`;
}

function parameterAt(pointer: string, parameters: readonly Parameter[]): Parameter | undefined {
  const [place = '', ...path] = pointer.split('/');
  const there = parameters.filter((one) => (place === 'query') === (one.place === 'query'));
  return (
    there.find((one) => one.path.every((name, index) => path[index] === name)) ??
    there.find(({ whole }) => whole?.join('/') === path.join('/'))
  );
}

/** Parts of a query are named by their pointer wherever they are spoken of; elsewhere a slash may be anything. */
function isPointer(text: string, errors: readonly FieldError[]): boolean {
  return text.startsWith('query/') || errors.some(({ pointer }) => pointer === text);
}

function commandFor(method: string, path: string): string | undefined {
  const id = operationIds('coordinator').find((one) => {
    const operation = operationOf('coordinator', one);
    return operation.method === method && operation.path === path;
  });
  return id === undefined ? undefined : `\`mesh ${singular(areaOfId(id))} ${verbOf(id)}\``;
}
