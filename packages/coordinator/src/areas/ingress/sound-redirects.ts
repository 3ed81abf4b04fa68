import type { FieldError, Ingress } from '@meshwork/contract';
import type { WholeIngress } from '../../mesh/whole-ingress.ts';

type Redirect = Ingress['redirects'][number];

const MAX_PORT = 65_535;
/** Where gateways listen for HTTP and HTTPS: there, a host leads back to the ingress that has it. */
const OWN_PORTS = ['', '80', '443'];
/** Ours: browsers give up at 20. */
const MOST_HOPS = 20;

/** Paths from which clients are sent elsewhere: each has one place to go to, and none ever comes back. */
export function faultsOfRedirects(ingress: WholeIngress): FieldError[] {
  const { kind, service, redirects, routes } = ingress;
  if (kind !== 'http' && redirects.length > 0) {
    return [{ pointer: '/redirects', detail: `must be empty: an ingress of kind ${kind} has no paths` }];
  }
  const taken = new Map(routes.map(({ path }) => [path, 'is a route too; a path has one of them']));
  if (service !== null) taken.set('/', 'is what `service` is for; set that to null, or redirect a longer path');
  const errors: FieldError[] = [];
  for (const [index, redirect] of redirects.entries()) {
    const { path } = redirect;
    const why = taken.get(path);
    if (why !== undefined) errors.push({ pointer: `/redirects/${index}/path`, detail: `"${path}" ${why}` });
    taken.set(path, 'is there twice');
    const detail = faultOfPlace(redirect) ?? faultOfRound(ingress, redirect);
    if (detail !== undefined) errors.push({ pointer: `/redirects/${index}/to`, detail: `"${redirect.to}" ${detail}` });
  }
  return errors;
}

function faultOfPlace({ to, keep }: Redirect): string | undefined {
  const [, port] = /^https?:\/\/[^/:]+:(\d+)/.exec(to) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > MAX_PORT)) {
    return `has the port ${port}; a port is at most ${MAX_PORT}`;
  }
  if (!keep || !to.includes('?')) return undefined;
  return 'has a query, behind which no path can be put; leave the query out, or set keep to false';
}

/** A client that is sent from path to path without an end never gets an answer. */
function faultOfRound(ingress: WholeIngress, from: Redirect): string | undefined {
  let path: string | undefined = from.path;
  let back: number | undefined;
  for (let hop = 0; hop < MOST_HOPS; hop++) {
    const at = redirectOf(ingress, path);
    if (at === undefined) return undefined;
    if (hop > 0 && at === from) back ??= hop;
    path = nextPath(ingress.hostname, at, path);
    if (path === undefined) return undefined;
  }
  if (back === undefined) return 'leads to redirects that never end';
  return back === 1 ? `leads back to "${from.path}"` : `leads back to "${from.path}" over other redirects`;
}

/** Where a client goes on from a path on this host. Undefined: to another host. */
function nextPath(hostname: string, { path: start, to, keep }: Redirect, path: string): string | undefined {
  const place = ownPath(hostname, to);
  if (place === undefined || !keep) return place;
  const rest = start === '/' ? path : path.slice(start.length);
  return rest === '' || rest === '/' ? place : `${place}${rest}`.replaceAll(/\/{2,}/g, '/');
}

/** The path on this host that a client is sent to, as a server reads it. Undefined: another host. */
function ownPath(hostname: string, to: string): string | undefined {
  const url = URL.parse(to, `https://${hostname}`);
  if (url === null || url.hostname !== hostname || !OWN_PORTS.includes(url.port)) return undefined;
  return url.pathname.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

/** The redirect that is for a path: the longest path counts, of redirects and routes together. Undefined: none is. */
function redirectOf({ redirects, routes }: WholeIngress, path: string): Redirect | undefined {
  const covers = (one: string) => one === '/' || path === one || path.startsWith(`${one}/`);
  const lengthOf = (one: { readonly path: string } | undefined) => one?.path.length ?? 0;
  const longest = <T extends { readonly path: string }>(all: readonly T[]): T | undefined =>
    all
      .filter((one) => covers(one.path))
      .reduce<T | undefined>((a, b) => (lengthOf(a) >= b.path.length ? a : b), undefined);
  const redirect = longest(redirects);
  return lengthOf(redirect) > lengthOf(longest(routes)) ? redirect : undefined;
}
