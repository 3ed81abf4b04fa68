/** Answers of an API are written for those who call it. People at a terminal know flags, arguments and commands. */
import type { FieldError } from '@meshwork/contract';
import { areaOfId, operationIds, operationOf, singular, verbOf } from './operations.ts';
import type { RefusedRequest } from './refused-request.ts';

/** The same text in the words of the command line. */
export function withoutApiWords(text: string, refused: RefusedRequest): string {
  const { errors } = refused.refusal;
  const plain = errors.reduce((said, error) => said.replaceAll(error.detail, () => refused.detailFor(error)), text);
  return plain
    .replaceAll(
      /`?\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}-]+)`?/g,
      (same, method: string, path: string) => commandFor(method, path) ?? same,
    )
    .replaceAll(/(?<![\w/])(?:query)?(?:\/[\w.-]*\w)+/g, (pointer) =>
      isOf(errors, pointer) ? refused.wordFor(pointer) : pointer,
    )
    .replaceAll(/\bThe body\b/g, 'The request');
}

/** Parts of a query are named by their pointer wherever they are spoken of; elsewhere a slash may be anything. */
function isOf(errors: readonly FieldError[], text: string): boolean {
  return text.startsWith('query/') || errors.some(({ pointer }) => pointer === text);
}

function commandFor(method: string, path: string): string | undefined {
  const id = operationIds('coordinator').find((one) => {
    const operation = operationOf('coordinator', one);
    return operation.method === method && operation.path === path;
  });
  return id === undefined ? undefined : `\`mesh ${singular(areaOfId(id))} ${verbOf(id)}\``;
}
