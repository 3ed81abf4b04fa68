/** An ingress as text: what the API takes, for those who know it better than a form. */
import type { Upstream } from '@meshwork/contract';
import { DEFAULT_UPSTREAM } from '@meshwork/contract/vocabulary';
import { bodyOf, draftOf, type IngressBody, type IngressDraft } from './ingress-draft.ts';
import { upstreamOf } from './upstream-draft.ts';

export function textOf(draft: IngressDraft, isNew: boolean): string {
  const { scope, ...rest } = bodyOf(draft);
  return JSON.stringify(isNew ? { ...rest, scope } : rest, null, 2);
}

type Read = { readonly body: IngressBody } | { readonly problem: string };

/** `before`: what stands for everything that the text does not name. */
export function readText(text: string, before: IngressBody): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(value)) return { problem: 'An ingress is a JSON object.' };
  return { body: { ...before, ...value } };
}

/**
 * What is left out of an upstream is as it was, and in a path as it is in a new one: as the coordinator takes it. Null: the text
 * is not of a shape that the form can show.
 */
export function draftOfText(body: IngressBody, before: IngressDraft): IngressDraft | null {
  try {
    const routes = body.routes.map(({ path, service, upstream = {} }) => ({
      ...{ path, service, upstream: whole(upstream, DEFAULT_UPSTREAM) },
    }));
    const upstream = whole(body.upstream, upstreamOf(before.upstream));
    return draftOf({ ...body, routes, upstream, tls: { ...before.tls, ...body.tls } });
  } catch {
    return null; // a list where an object should be, or the like: the coordinator says what is wrong with it
  }
}

function whole(change: IngressBody['upstream'], base: Upstream): Upstream {
  return { ...base, ...change, check: { ...base.check, ...change.check } };
}

function isObject(value: unknown): value is Partial<IngressBody> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
