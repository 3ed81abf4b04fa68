/** An ingress for people: what it is, where its paths lead, and what its gateways find. */
import type { Ingress, Upstream } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { scopeText } from '../../rights-text.ts';
import { fields, table } from '../../table.ts';
import { ago, when } from '../../when.ts';
import { frontOf, rulesOf, saidOf } from './rules-text.ts';

const SERVED = ['SERVICE', 'BALANCE', 'WEIGHTS', 'CANARY', 'CHECK'];

export function ingressText(ingress: Ingress, out: Pick<Output, 'strong'>): string {
  const strong = (text: string) => out.strong(text);
  const parts = [
    facts(ingress),
    ...section(ingress.kind === 'http' ? ['PATH', ...SERVED] : SERVED, routeRows(ingress), strong),
    ...section(['PATH', 'RULE OF ITS OWN', 'VALUE'], ruleRows(ingress), strong),
    ...section(['PATH', 'REDIRECTS TO', 'STATUS', 'KEEPS THE REST'], redirectRows(ingress), strong),
    ...section(['SERVICE', 'TARGET', 'ADDRESS', 'PROBLEM'], targetRows(ingress), strong),
    ...section(['GATEWAY', 'STATE', 'CONNECTIONS'], gatewayRows(ingress), strong),
    ...section(['GATEWAY', 'SERVICE', 'UPSTREAM', 'STATE', 'SINCE', 'WHY'], upstreamRows(ingress), strong),
  ];
  return parts.join('\n\n');
}

function facts(ingress: Ingress): string {
  return fields([
    ['id', ingress.id],
    ['name', ingress.name],
    ['address', addressOf(ingress)],
    ['state', ingress.state],
    ...drainFacts(ingress),
    ...(ingress.problem === null ? [] : [['problem', ingress.problem] as const]),
    ...tlsFact(ingress),
    ...frontOf(ingress),
    ...rulesOf(ingress),
    ['scope', scopeText(ingress.scope)],
    ['gateways', `${ingress.replicas} of ${ingress.gateways.join(', ')}`],
    ...(ingress.assigned_to.length === 0 ? [['served by', 'no gateway'] as const] : []),
    ...(ingress.targets.length === 0 && leadsSomewhere(ingress)
      ? [['targets', 'no node reports the service'] as const]
      : []),
    ['created', when(ingress.created_at)],
  ]);
}

type Address = Pick<Ingress, 'kind' | 'hostname' | 'port' | 'tls'>;

/** What people enter in a browser, or give to another program. */
export function addressOf({ kind, hostname, port, tls }: Address): string {
  if (kind === 'http') return `${tls.certificate === 'none' ? 'http' : 'https'}://${hostname}`;
  return `${kind}://${hostname}:${port ?? 443}`;
}

/** Where it leads, in a cell. */
export function serviceText({ service, routes }: Pick<Ingress, 'service' | 'routes'>): string {
  const first = service ?? 'redirects';
  return routes.length === 0 ? first : `${first} +${routes.length}`;
}

function leadsSomewhere({ service, routes }: Ingress): boolean {
  return service !== null || routes.length > 0;
}

/** How its drain goes, or how it went. */
function drainFacts({ drain }: Ingress): (readonly [string, string])[] {
  if (drain === null) return [];
  return [['drain', drainText(drain)]];
}

function drainText({ deadline, drained_at, cut }: NonNullable<Ingress['drain']>): string {
  if (drained_at !== null && cut === 0) return `drained ${ago(drained_at)}, by itself`;
  const lost = `${cut} ${cut === 1 ? 'connection' : 'connections'} cut`;
  if (drained_at !== null) return `drained ${ago(drained_at)}, at the deadline, ${lost}`;
  if (deadline === null) return 'under way, without a deadline: open connections end by themselves';
  return `under way, what is open ends at ${deadline}${cut === 0 ? '' : `, ${lost} so far`}`;
}

function tlsFact({ kind, tls }: Ingress): (readonly [string, string])[] {
  if (kind === 'tcp' || kind === 'udp') return [];
  if (kind === 'tls') return [['TLS', 'the service ends it']];
  return [['TLS', tlsText(tls)], ...clientsFact(tls)];
}

function tlsText({ certificate, redirect }: Ingress['tls']): string {
  if (certificate === 'none') return 'off: plain HTTP only';
  const whose = certificate === 'mesh' ? 'certificate of the mesh CA' : certificateText(certificate);
  return `${whose}, plain HTTP is ${redirect ? 'redirected' : 'served too'}`;
}

function clientsFact({ clients, client_names }: Ingress['tls']): (readonly [string, string])[] {
  if (clients === 'none') return [];
  const who = client_names.length === 0 ? 'of the mesh CA' : `for ${client_names.join(', ')}`;
  return [['client certificates', `${clients}, ${who}`]];
}

function section(headings: readonly string[], rows: string[][], strong: (text: string) => string): string[] {
  return rows.length === 0 ? [] : [table(headings, rows, strong)];
}

/** Only requests have paths. */
function routeRows({ kind, service, upstream, routes }: Ingress): string[][] {
  const main = service === null ? [] : [{ path: '/', service, upstream }];
  return [...main, ...routes].map((route) => [
    ...(kind === 'http' ? [route.path] : []),
    `${route.service} (${route.upstream.protocol}${route.upstream.proxy_protocol ? ', PROXY protocol' : ''})`,
    route.upstream.balance,
    route.upstream.weights.map(({ nodes, weight }) => `${nodes}=${weight}`).join(' ') || '-',
    route.upstream.canary === null ? '-' : `${route.upstream.canary.service} ${route.upstream.canary.percent}%`,
    checkText(route.upstream.check),
  ]);
}

function checkText(check: Upstream['check']): string {
  if (check.kind === 'none') return 'none';
  const { interval_s, timeout_s, rise, fall } = check;
  return `${askText(check)} every ${interval_s} s, timeout ${timeout_s} s, up after ${rise}, down after ${fall}`;
}

function askText({ kind, path, status, body, grpc_service }: Upstream['check']): string {
  if (kind === 'http') return `http ${path} for ${status}${body === null ? '' : ` and "${body}"`}`;
  return kind === 'grpc' && grpc_service !== null ? `grpc ${grpc_service}` : kind;
}

function ruleRows({ routes }: Ingress): string[][] {
  return routes.flatMap(({ path, traffic, waf }) =>
    [...saidOf(traffic), ...(waf === undefined ? [] : [['WAF policy', waf ?? 'none'] as const])].map(
      ([name, value]) => [path, name, value],
    ),
  );
}

function redirectRows({ redirects }: Ingress): string[][] {
  return redirects.map(({ path, to, status, keep }) => [path, to, `${status}`, keep ? 'yes' : 'no']);
}

function targetRows({ targets }: Ingress): string[][] {
  return targets.map(({ service, name, address, port, problem }) => [
    service,
    name,
    `${address}:${port}`,
    problem ?? '-',
  ]);
}

function gatewayRows({ assigned_to, served_by }: Ingress): string[][] {
  return assigned_to.map(({ node, name, draining, drain, problem }) => {
    const serves = served_by.find((gateway) => gateway.node === node);
    const state = problem === null ? 'serving' : `not serving: ${problem}`;
    const left = serves?.connections ?? drain?.connections;
    const cut = drain === null || drain.cut === 0 ? '' : ` (${drain.cut} cut)`;
    const doubt = drain?.problem == null ? '' : `: ${drain.problem}`;
    return [name, `${state}${draining ? `, draining${doubt}` : ''}`, `${left?.toString() ?? 'not reported'}${cut}`];
  });
}

function upstreamRows({ served_by, targets }: Ingress): string[][] {
  const nameOf = (node: string) => targets.find((target) => target.node === node)?.name ?? node;
  return served_by.flatMap(({ name, upstreams }) =>
    (upstreams ?? []).map(({ service, node, state, since, why }) => [
      name,
      service,
      nameOf(node),
      state,
      ago(since),
      why ?? '-',
    ]),
  );
}

/**
 * How many of its targets get requests, in a cell: those that a gateway finds up. One that others may not reach counts as well.
 */
export function targetsUp(ingress: Ingress): string {
  const { targets, served_by } = ingress;
  if (!leadsSomewhere(ingress)) return '-';
  const found = served_by.flatMap(({ upstreams }) => upstreams ?? []);
  const isUp = (target: Ingress['targets'][number]) =>
    found.some(({ service, node, state }) => service === target.service && node === target.node && state === 'up');
  return `${targets.filter(isUp).length} of ${targets.length} up`;
}

function certificateText(certificate: string): string {
  return certificate.startsWith('outside_')
    ? `certificate of the outside authority ${certificate}`
    : `given certificate ${certificate}`;
}
