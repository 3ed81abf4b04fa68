/** What people type for the parts of an ingress that are objects. */
import type { RequestOf } from '@meshwork/client';
import { InvalidArgumentError } from 'commander';

type NewIngress = RequestOf<'ingress.create'>['body'];
type Route = NonNullable<NewIngress['routes']>[number];
type Upstream = NonNullable<NewIngress['upstream']>;

/** `/api=api-http`. A route with an upstream of its own is given as the API takes it, as JSON. */
export function route(text: string): Route {
  if (text.startsWith('{')) return routeOfJson(text);
  const [path, service] = halves(text) ?? [];
  if (path?.startsWith('/') === true && service !== undefined) return { path, service };
  throw new InvalidArgumentError('Give it as PATH=SERVICE, such as /api=api-http, or as JSON.');
}

function routeOfJson(text: string): Route {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('That is not valid JSON.');
  }
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
