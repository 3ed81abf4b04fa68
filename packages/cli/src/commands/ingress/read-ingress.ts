/** What people type for the parts of an ingress that are objects. */
import type { RequestOf } from '@meshwork/client';
import { InvalidArgumentError } from 'commander';

type NewIngress = RequestOf<'ingress.create'>['body'];
type Route = NonNullable<NewIngress['routes']>[number];
type Upstream = NonNullable<NewIngress['upstream']>;
type Redirect = NonNullable<NewIngress['redirects']>[number];
type HeaderRule = NonNullable<NonNullable<NewIngress['traffic']>['request_headers']>[number];

/** `/api=api-http`. A route with an upstream of its own is given as the API takes it, as JSON. */
export function route(text: string): Route {
  if (text.startsWith('{')) return ofJson(text);
  const [path, service] = halves(text) ?? [];
  if (path?.startsWith('/') === true && service !== undefined) return { path, service };
  throw new InvalidArgumentError('Give it as PATH=SERVICE, such as /api=api-http, or as JSON.');
}

function ofJson<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('That is not valid JSON.');
  }
}

/** Ours: for good, with method and body, and with what follows the path. */
const REDIRECT = { status: 308, keep: true } as const;

/** `/old=/new`. One that is not for good, or leads all to one place, is given as JSON. */
export function redirect(text: string): Redirect {
  if (text.startsWith('{')) return { ...REDIRECT, ...ofJson<Redirect>(text) };
  const [, path, to] = /^(\/[^=]*)=(.+)$/.exec(text) ?? [];
  if (path !== undefined && to !== undefined) return { path, to, ...REDIRECT };
  throw new InvalidArgumentError('Give it as PATH=PLACE, such as /old=/new or /=https://new.example.net, or as JSON.');
}

/** As curl takes it: `X-Env: prod` sets it, `X-Powered-By:` removes it, `X-Empty;` sets it to nothing. */
export function header(text: string): HeaderRule {
  const [, name, mark, rest = ''] = /^([^\s:;]+)([:;])(.*)$/.exec(text) ?? [];
  const value = rest.trim();
  if (name !== undefined && mark === ':') return { name, value: value === '' ? null : value };
  if (name !== undefined && value === '') return { name, value };
  throw new InvalidArgumentError("Give it as 'X-Env: prod', or as 'X-Powered-By:' to remove it.");
}

/** How many requests more may come at once, unless it is said: what may come in one second, or minute. */
export function burstOf({ rate }: Readonly<Record<string, unknown>>): number {
  return Math.min(Number.parseInt(String(rate), 10), 10_000);
}

/** `node:web-3=5`. */
export function weight(text: string): NonNullable<Upstream['weights']>[number] {
  const [nodes, share] = halves(text) ?? [];
  if (nodes !== undefined && share !== undefined && isWhole(share, 0, 100)) return { nodes, weight: Number(share) };
  throw new InvalidArgumentError('Give it as SELECTOR=WEIGHT with a weight from 0 to 100, such as node:web-3=5.');
}

/** `web-next=5`. A percent sign may follow. */
export function canary(text: string): NonNullable<Upstream['canary']> {
  const [service, share] = halves(text.replace(/%$/, '')) ?? [];
  if (service !== undefined && share !== undefined && isWhole(share, 1, 99)) return { service, percent: Number(share) };
  throw new InvalidArgumentError('Give it as SERVICE=PERCENT with 1 to 99 percent, such as web-next=5.');
}

/** At the last `=`. Undefined: there is none, or nothing on a side of it. */
function halves(text: string): [string, string] | undefined {
  const [, before, after] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  return before === undefined || after === undefined ? undefined : [before, after];
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= least && Number(text) <= most;
}
