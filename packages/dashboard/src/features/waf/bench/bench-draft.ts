/** What the form of the test bench holds, and the request that it makes. */
import type { WafTestRequest } from '@meshwork/contract';
import { ATTACKS, exampleNamed, headersOf } from './examples.ts';

export interface BenchDraft {
  readonly method: string;
  readonly host: string;
  readonly uri: string;
  /** One a line: `Content-Type: application/json`. */
  readonly headers: string;
  readonly body: string;
  readonly address: string;
}

/** Of a network for documentation: no client has it. */
const NO_CLIENT = '192.0.2.1';

export function withExample(draft: BenchDraft, label: string | null): BenchDraft {
  const example = exampleNamed(label);
  if (example === undefined) return draft;
  const { method, uri, body } = example;
  return { ...draft, method, uri, headers: headersOf(example), body: body ?? '' };
}

export function firstDraft(host: string): BenchDraft {
  const empty = { method: 'GET', host, uri: '/', headers: '', body: '', address: NO_CLIENT };
  return withExample(empty, ATTACKS[0]?.label ?? null);
}

const HEADER = /^([^\s:]+):[ \t]*(.*)$/;

/** What is wrong with the lines of headers. Null: nothing. */
export function headersProblem(text: string): string | null {
  const wrong = linesOf(text).find((line) => !HEADER.test(line));
  return wrong === undefined ? null : `“${wrong}” is no header. Write Name: value, one a line.`;
}

/** A path and a query may be typed as they are read. */
export function requestOf({ method, host, uri, headers, body, address }: BenchDraft): WafTestRequest {
  return {
    method: method.trim().toUpperCase(),
    host: host.trim().toLowerCase(),
    uri: uri.trim().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent),
    headers: linesOf(headers).flatMap((line) => {
      const [, name = '', value = ''] = HEADER.exec(line) ?? [];
      return name === '' ? [] : [{ name, value }];
    }),
    body: body === '' ? null : body,
    address: address.trim().toLowerCase(),
  };
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The path alone, as an exclusion names it. */
export function pathOf(uri: string): string {
  return uri.split(/[?#]/)[0] ?? '/';
}
